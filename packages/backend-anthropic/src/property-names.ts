import { legalToolName } from "@massgen/backend-kit";
import type { JsonSchema, JsonValue } from "@massgen/contracts";
import { isObject } from "./json.js";

/** What this vendor takes as the name of a property; the other vendors take any. */
const LEGAL = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Names of properties of one tool that had to be changed, in both directions. */
export interface PropertyNames {
  readonly schema: JsonSchema;
  toWire(input: JsonValue): JsonValue;
  fromWire(input: JsonValue): JsonValue;
}

/** Renames every property the vendor would refuse, at any depth. Its arguments are renamed back, so that no tool sees the difference. */
export function legalPropertyNames(schema: JsonSchema): PropertyNames {
  const wire = new Map<string, string>();
  const renamed = rename(schema, wire) as JsonSchema;
  if (wire.size === 0) return { schema, toWire: (input) => input, fromWire: (input) => input };
  const original = new Map([...wire].map(([name, legal]) => [legal, name]));
  return { schema: renamed, toWire: (input) => renameKeys(input, wire), fromWire: (input) => renameKeys(input, original) };
}

function rename(schema: JsonValue, wire: Map<string, string>): JsonValue {
  if (Array.isArray(schema)) return schema.map((part) => rename(part, wire));
  if (!isObject(schema)) return schema;
  const fields = schema as { readonly [key: string]: JsonValue };
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]): [string, JsonValue] => {
      if (key === "properties" && isObject(value))
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, part]) => [legalName(name, wire), rename(part as JsonValue, wire)])),
        ];
      if (key === "required" && Array.isArray(value))
        return [key, value.map((name) => (typeof name === "string" ? legalName(name, wire) : name))];
      // Values are data, not schemas: a constant may look like one.
      if (key === "enum" || key === "const" || key === "default" || key === "examples") return [key, value];
      return [key, rename(value, wire)];
    }),
  );
}

function legalName(name: string, wire: Map<string, string>): string {
  if (LEGAL.test(name)) return name;
  const legal = legalToolName(name);
  wire.set(name, legal);
  return legal;
}

function renameKeys(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, names));
  if (!isObject(value)) return value;
  const fields = value as { readonly [key: string]: JsonValue };
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [names.get(key) ?? key, renameKeys(item, names)]));
}
