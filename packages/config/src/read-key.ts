import type { KeySpec } from "./key-table.js";
import { emptyMap, type MapNode } from "./tree.js";

type Keys = { readonly [key: string]: KeySpec };
type ValueOf<S> = S extends KeySpec<infer T> ? T : never;

/** Reads keys of one map by their table: the value, or `undefined` when it is absent, null or (told elsewhere) wrong. */
export function keyReader<K extends Keys>(
  map: MapNode,
  keys: K,
): <Name extends keyof K & string>(key: Name) => ValueOf<K[Name]> | undefined {
  return (key) => {
    const node = map.entries.get(key);
    if (node === undefined || (node.kind === "scalar" && node.value === null)) return undefined;
    const checked = keys[key]!.shape.check(node);
    // The table entry made the value; TypeScript cannot follow the lookup by name.
    return checked.success ? (checked.data as ValueOf<K[typeof key]>) : undefined;
  };
}

/** The map under `key`, or an empty one. */
export function readMap(parent: MapNode, key: string): MapNode {
  const found = parent.entries.get(key);
  return found?.kind === "map" ? found : emptyMap(parent, key);
}

export function readText(map: MapNode, key: string): string | null {
  const found = map.entries.get(key);
  return found?.kind === "scalar" && typeof found.value === "string" ? found.value : null;
}
