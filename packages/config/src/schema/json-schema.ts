import { z } from "zod";
import { features } from "../features.js";
import type { KeySpec, KeyTable } from "../key-table.js";
import { topTable } from "../keys/sections.js";
import { providerNames } from "../providers/catalogue.js";
import { defaultOf } from "./default-of.js";
import { keyNotes } from "./key-notes.js";
import { legacyForms } from "./legacy-forms.js";
import { type JsonSchema, joinPath, namedTables } from "./named-tables.js";

/**
 * The configuration language for editors: built from the tables the checks read. It refuses wrong types and words, and marks
 * keys that nobody knows, which are a warning to a run. Rules between keys are left to `massgen --validate`.
 */
export function configJsonSchema(): JsonSchema {
  const definitions = new Map<KeyTable, { readonly name: string; schema: JsonSchema }>();

  const referTo = (table: KeyTable, at: string): JsonSchema => {
    const known = definitions.get(table);
    if (known !== undefined) return { $ref: `#/$defs/${known.name}` };
    const path = namedTables.get(table) ?? at;
    const name = uniqueName(path, definitions);
    const entry = { name, schema: {} as JsonSchema };
    definitions.set(table, entry);
    entry.schema = describeTable(table, path);
    return { $ref: `#/$defs/${name}` };
  };

  const describeTable = (table: KeyTable, path: string): JsonSchema => {
    if (table.kind === "free") return {};
    const known = Object.entries(table.keys).map(([key, spec]) => [key, describeKey(spec, joinPath(path, key))] as const);
    const { properties = {}, ...forms } = legacyForms(path);
    return {
      properties: { ...Object.fromEntries(known), ...(properties as JsonSchema) },
      ...forms,
      ...(table.kind === "closed" ? { additionalProperties: false } : {}),
    };
  };

  const describeKey = (spec: KeySpec, path: string): JsonSchema => {
    const below: JsonSchema[] = [];
    // Keywords of objects say nothing about other values, so what may stand beside a map needs no condition here.
    if (spec.keys !== undefined) below.push(referTo(spec.keys(), path));
    if (spec.each !== undefined) {
      const item = referTo(spec.each(), `${path}[]`);
      below.push({ items: item, additionalProperties: item });
    }
    const fallback = defaultOf(path);
    return {
      description: descriptionOf(spec, path),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(isUnbuilt(spec) ? { deprecated: true } : {}),
      ...orNull(valueSchema(spec, path)),
      ...(below.length === 0 ? {} : Object.assign({}, ...below)),
    };
  };

  const root = describeTable(topTable, "");
  const $defs = Object.fromEntries([...definitions.values()].map(({ name, schema }) => [name, schema]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "MassGen configuration",
    type: "object",
    ...root,
    $defs,
  };
}

function valueSchema({ shape }: KeySpec, path: string): JsonSchema {
  if (path === "backend.type") return { anyOf: [{ enum: [...new Set(providerNames)] }, { type: "string" }] };
  if (shape.schema === undefined) return {};
  const { $schema: _dialect, propertyNames: _names, additionalProperties: _any, items, ...schema } = z.toJSONSchema(shape.schema);
  const isAny = typeof items === "object" && Object.keys(items).length === 0;
  return items === undefined || isAny ? schema : { ...schema, items };
}

/** Everywhere, null means that a key is not given. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, ...rest } = schema;
  if (Array.isArray(schema["anyOf"])) return { anyOf: [...(schema["anyOf"] as readonly JsonSchema[]), { type: "null" }] };
  if (typeof type !== "string") return schema;
  return { type: [type, "null"], ...(Array.isArray(words) ? { enum: [...(words as readonly unknown[]), null] } : {}), ...rest };
}

function descriptionOf(spec: KeySpec, path: string): string {
  const note = keyNotes[path];
  const only = spec.only === undefined ? "" : ` Only for ${spec.only.join(", ")}.`;
  if (spec.support.is === "ignored") return `Not supported yet, ignored: ${features[spec.support.feature]}.${only}`;
  if (spec.support.is === "refused") return `Not supported yet, an error: ${features[spec.support.feature]}.${only}`;
  if (spec.support.is === "kept") return `Accepted, without effect.${only}`;
  const handed = spec.support.is === "param" && note === undefined ? "Handed to the vendor as it is." : "";
  return `${note ?? (handed || `${capital(spec.shape.words)}.`)}${only}`;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const isUnbuilt = ({ support }: KeySpec): boolean => support.is === "ignored" || support.is === "refused";

/** `agents[].backend` is `agents.backend`; a second table of the same name gets a number. */
function uniqueName(path: string, taken: ReadonlyMap<KeyTable, { readonly name: string }>): string {
  const base = path.replaceAll("[]", "") || "config";
  const names = new Set([...taken.values()].map(({ name }) => name));
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!names.has(name)) return name;
  }
}
