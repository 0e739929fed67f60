import type { CustomToolConfig } from "./config.js";
import { customToolKeys } from "./keys/backend-tools.js";
import { keyReader } from "./read-key.js";
import { type MapNode, type PlainValue, pathOf } from "./tree.js";

/** The tools of `custom_tools`, one for each function: an entry with lists names several (docs/spec/config.md 7.1). */
export function buildCustomTools(backend: MapNode): readonly CustomToolConfig[] {
  const list = backend.entries.get("custom_tools");
  if (list?.kind !== "list") return [];
  return list.items.flatMap((item) => (item.kind === "map" ? toolsOf(item) : []));
}

function toolsOf(entry: MapNode): readonly CustomToolConfig[] {
  const read = keyReader(entry, customToolKeys);
  const names = listed(read("name"));
  const functions = listed(read("function") ?? read("func"));
  const description = read("description");
  const presets = read("preset_args") ?? read("default_params") ?? null;
  return Array.from({ length: Math.max(names.length, functions.length, 1) }, (_, index) => ({
    where: pathOf(entry),
    name: names[index] ?? null,
    function: functions[index] ?? null,
    path: read("path")?.trim() || null,
    category: read("category") ?? null,
    description: (typeof description === "string" ? description : description?.[index]) ?? null,
    presetArgs: argumentsOf(Array.isArray(presets) ? (presets[index] ?? null) : presets),
  }));
}

const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/** A list of them goes by position; one map is for every function of the entry. */
function argumentsOf(value: PlainValue): { readonly [name: string]: PlainValue } | null {
  return isRecord(value) ? value : null;
}

const isRecord = (value: PlainValue): value is { readonly [key: string]: PlainValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
