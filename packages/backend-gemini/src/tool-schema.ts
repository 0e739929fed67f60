import { tidyToolSchema } from "@massgen/backend-kit";
import type { JsonSchema, JsonValue } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalProperties", "not", "contains", "propertyNames"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const BY_NAME = ["properties", "patternProperties"];

/**
 * A tool's schema as Gemini takes it in `parametersJsonSchema`, `null` for a tool that takes nothing. What it refuses becomes
 * words: enums of booleans and nulls, empty texts among the choices, constants that are no text. The rest stays as it is.
 */
export function geminiToolSchema(schema: JsonSchema): JsonObject | null {
  const tidied = tidyToolSchema(schema) as JsonObject;
  const { properties, additionalProperties } = tidied;
  const takesNothing =
    isObject(properties) &&
    Object.keys(properties).length === 0 &&
    (additionalProperties === undefined || additionalProperties === false) &&
    !("patternProperties" in tidied);
  return takesNothing ? null : adapt(tidied);
}

function adapt(schema: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "enum" || key === "const") continue;
    if (ONE.includes(key) && isObject(value)) kept[key] = adapt(value as JsonObject);
    else if (LISTS.includes(key) && Array.isArray(value))
      kept[key] = value.map((part: JsonValue) => (isObject(part) ? adapt(part as JsonObject) : part));
    else if (BY_NAME.includes(key) && isObject(value)) kept[key] = adaptEach(value as JsonObject);
    else kept[key] = value;
  }
  const choices = "const" in schema ? [schema["const"]!] : Array.isArray(schema["enum"]) ? (schema["enum"] as readonly JsonValue[]) : null;
  return choices === null ? kept : withChoices(kept, choices);
}

function adaptEach(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, isObject(part) ? adapt(part as JsonObject) : part]));
}

/** Gemini refuses enums of booleans and of empty texts (seen 2026-09). */
function withChoices(schema: Record<string, JsonValue>, choices: readonly JsonValue[]): JsonObject {
  const texts = choices.filter((choice) => typeof choice === "string" && choice !== "");
  const numbers = choices.filter((choice) => typeof choice === "number");
  const sayable = texts.length > 0 && numbers.length === 0 ? texts : texts.length === 0 ? numbers : [];
  const rest = choices.filter((choice) => !sayable.includes(choice));
  const type = schema["type"] ?? typeOf(choices);
  const description = [
    schema["description"],
    rest.length > 0 ? `One of: ${choices.map((choice) => JSON.stringify(choice)).join(", ")}.` : "",
  ];
  const words = description.filter((text) => typeof text === "string" && text !== "").join(" ");
  return {
    ...schema,
    ...(type === null ? {} : { type }),
    ...(words === "" ? {} : { description: words }),
    ...(sayable.length > 0 ? { enum: sayable } : {}),
  };
}

function typeOf(choices: readonly JsonValue[]): string | null {
  const types = new Set(choices.map((choice) => typeof choice));
  const [only] = types;
  return types.size === 1 && (only === "string" || only === "number" || only === "boolean") ? only : null;
}
