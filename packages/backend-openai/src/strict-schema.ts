import { isObject, listOf } from "./json.js";

/**
 * Whether the vendor can hold an answer to a schema word for word: every object in it names all its properties as
 * required and forbids others. Only such a schema is sent as strict; any other would be refused.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  if (listOf(schema["type"]).concat(schema["type"]).includes("object")) {
    const required = listOf(schema["required"]);
    if (schema["additionalProperties"] !== false || !Object.keys(properties).every((name) => required.includes(name))) return false;
  }
  const inner = [schema["items"], schema["anyOf"], ...Object.values(properties), ...definitionsOf(schema["$defs"])];
  return !("oneOf" in schema || "allOf" in schema) && inner.every(isStrictSchema);
}

function definitionsOf(value: unknown): readonly unknown[] {
  return isObject(value) ? Object.values(value) : [];
}
