import type { Reporter } from "./reporter.js";
import { type ConfigNode, emptyMap, type MapNode } from "./tree.js";

/** The map under `key`, made when there is none; `null` when something else stands there. */
export function ensureMap(parent: MapNode, key: string): MapNode | null {
  const found = parent.entries.get(key);
  if (found?.kind === "map") return found;
  if (found !== undefined && !(found.kind === "scalar" && found.value === null)) return null;
  const made = emptyMap(parent, key);
  parent.entries.set(key, made);
  return made;
}

/** Moves a value to where it belongs; what stands there already stays. */
export function move(from: MapNode, key: string, to: MapNode, newKey: string): ConfigNode | null {
  const value = from.entries.get(key);
  if (value === undefined) return null;
  if (from !== to || key !== newKey) from.entries.delete(key);
  if (!to.entries.has(newKey)) to.entries.set(newKey, value);
  return value;
}

/** Moves a value and says so. */
export function misplaced(from: MapNode, key: string, to: MapNode, newKey: string, where: string, reporter: Reporter): void {
  const taken = to.entries.has(newKey);
  const value = move(from, key, to, newKey);
  if (value === null) return;
  const what = taken
    ? `'${key}' belongs in '${where}', which is set as well; this one is ignored`
    : `'${key}' belongs in '${where}'; moved there`;
  reporter.report("CFG060", value, what, { on: "key" });
}
