import type { JsonSchema, JsonValue } from "@massgen/contracts";

type Fields = { readonly [key: string]: JsonValue };

/** How often a definition may stand inside itself before it is cut to `{}`, which allows everything. */
const DEEPEST_RECURSION = 3;
/** Inlining may multiply; a schema with more parts than this keeps the rest of its references as `{}`. */
const MOST_PARTS = 2000;

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const BY_NAME = ["properties", "patternProperties", "dependentSchemas"];
/** What describes the document and not the value. */
const DOCUMENT = new Set(["$schema", "$id", "$defs", "definitions", "$comment", "$anchor"]);

/**
 * A tool's schema as OpenAI-style vendors accept it (docs/spec/backends.md 19). The root is a plain object with
 * properties: alternatives at the root are merged into optional properties; local references are inlined, recursion cut
 * after three turns; arrays get `items`; names in `required` that are no property go. Descriptions, enums and parameters that happen to be
 * called like a keyword stay. Never throws: what it does not know it leaves alone.
 */
export function tidyToolSchema(schema: JsonSchema): JsonSchema {
  const walk: Walk = { root: schema, open: [], parts: 0 };
  const tidied = tidy(schema, walk);
  const { anyOf, oneOf, allOf, enum: _enum, not: _not, const: _const, properties, required, ...rest } = isFields(tidied) ? tidied : {};
  const must = [allOf].flatMap(listOf).filter(isFields);
  const may = [anyOf, oneOf].flatMap(listOf).filter(isFields);
  const merged: Fields = Object.assign({}, ...[...may, ...must].map((part) => fieldsOf(part["properties"])), fieldsOf(properties));
  const needed = [required, ...must.map((part) => part["required"])]
    .flatMap(listOf)
    .filter((name) => typeof name === "string" && Object.hasOwn(merged, name));
  return { ...rest, type: "object", properties: merged, ...(needed.length > 0 ? { required: [...new Set(needed)] } : {}) };
}

interface Walk {
  readonly root: JsonSchema;
  /** References being inlined right now, outermost first. */
  readonly open: readonly string[];
  parts: number;
}

function tidy(schema: JsonValue | undefined, walk: Walk): JsonValue {
  if (!isFields(schema)) return schema === true || schema === undefined ? {} : schema;
  if (++walk.parts > MOST_PARTS) return {};
  if (typeof schema["$ref"] === "string") return inline(schema["$ref"], schema, walk);
  const kept: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DOCUMENT.has(key)) continue;
    if (ONE.includes(key))
      kept[key] = Array.isArray(value) ? value.map((part) => tidy(part, walk)) : typeof value === "boolean" ? value : tidy(value, walk);
    else if (LISTS.includes(key) && Array.isArray(value)) kept[key] = value.map((part) => tidy(part, walk));
    else if (BY_NAME.includes(key) && isFields(value)) kept[key] = mapFields(value, (part) => tidy(part, walk));
    else kept[key] = value;
  }
  if (listOf(kept["type"]).includes("array") && kept["items"] === undefined && kept["prefixItems"] === undefined) kept["items"] = {};
  if (Array.isArray(kept["required"])) {
    const properties = fieldsOf(kept["properties"]);
    kept["required"] = kept["required"].filter(
      (name) => typeof name === "string" && (kept["properties"] === undefined || Object.hasOwn(properties, name)),
    );
  }
  return kept;
}

/** The definition behind a reference, with what stood beside the reference on top. Foreign references allow everything. */
function inline(reference: string, { $ref: _ref, ...beside }: Fields, walk: Walk): JsonValue {
  const turns = walk.open.filter((open) => open === reference).length;
  const target = turns >= DEEPEST_RECURSION ? undefined : resolve(reference, walk.root);
  const inner: Walk = { root: walk.root, open: [...walk.open, reference], parts: walk.parts };
  const found = tidy(isFields(target) ? { ...target, ...beside } : beside, inner);
  walk.parts = inner.parts;
  return found;
}

function resolve(reference: string, root: JsonSchema): JsonValue | undefined {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference
    .slice(1)
    .split("/")
    .filter((step) => step !== "");
  return steps.reduce<JsonValue | undefined>((at, step) => {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) return at[Number(name)];
    return isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function mapFields(fields: Fields, change: (value: JsonValue) => JsonValue): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
}

function fieldsOf(value: JsonValue | undefined): Fields {
  return isFields(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function isFields(value: JsonValue | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
