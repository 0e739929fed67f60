import type { Reporter } from "./reporter.js";
import { type ConfigNode, type ListNode, type MapNode, scalar } from "./tree.js";

const MAX_DEPTH = 100;

/** The tree of a config built in memory. What no file could hold (functions, dates, cycles, NaN) is told and left out. */
export function fromObject(object: unknown, reporter: Reporter): MapNode | null {
  const convert = (value: unknown, parent: MapNode | ListNode | null, step: string | number, depth: number): ConfigNode | null => {
    const place = { keyRange: null, range: null, parent, step };
    if (value === null || typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
      return scalar(value, parent, step);
    if (Array.isArray(value) && depth < MAX_DEPTH) {
      const list: ListNode = { kind: "list", items: [], ...place };
      for (const [index, item] of value.entries()) {
        const node = convert(item, list, index, depth + 1);
        if (node !== null) list.items.push(node);
      }
      return list;
    }
    if (isPlainObject(value) && depth < MAX_DEPTH) {
      const map: MapNode = { kind: "map", entries: new Map(), ...place };
      for (const [key, item] of Object.entries(value)) {
        if (item === undefined) continue;
        const node = convert(item, map, key, depth + 1);
        if (node !== null) map.entries.set(key, node);
      }
      return map;
    }
    reporter.report(
      "CFG033",
      scalar(null, parent, step),
      `a config holds texts, numbers, booleans, lists and maps; found ${kindOf(value, depth)}`,
    );
    return null;
  };
  const root = convert(object, null, "", 0);
  if (root?.kind === "map") return root;
  reporter.reportRange("CFG007", null, `the config must be a map of keys, found ${kindOf(object, 0)}`);
  return null;
}

function kindOf(value: unknown, depth: number): string {
  if (depth >= MAX_DEPTH) return `values nested more than ${MAX_DEPTH} levels deep`;
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return Number.isFinite(value) ? "a number" : String(value);
  return typeof value === "object" ? "an object of a class" : `a ${typeof value}`;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
