import { nearest } from "../nearest.js";

export type FoundExample =
  | { readonly is: "found"; readonly path: string }
  | { readonly is: "ambiguous" | "unknown"; readonly candidates: readonly string[] };

/** Names that are used in texts and are no files. */
const aliases: { readonly [name: string]: string } = { basic_multi: "basic/multi/three_agents_default.yaml" };

/** `basic/multi/three_agents_default.yaml` → `basic_multi_three_agents_default`. */
export const shortNameOf = (path: string): string => withoutExtension(path).replaceAll("/", "_");

const withoutExtension = (path: string): string => path.replace(/\.(yaml|yml|json)$/, "");
const baseOf = (path: string): string => withoutExtension(path).replace(/^.*\//, "");

/**
 * The example a name stands for, among paths relative to the folder of examples.
 * Tried in this order: the path, the path without extension, the file's own name, the short name, a part of the path; the first that fits decides.
 */
export function findExample(name: string, paths: readonly string[]): FoundExample {
  const wanted = (aliases[name] ?? name).replaceAll("\\", "/");
  const tests: readonly ((path: string) => boolean)[] = [
    (path) => path === wanted,
    (path) => withoutExtension(path) === wanted,
    (path) => baseOf(path) === withoutExtension(wanted),
    (path) => shortNameOf(path) === wanted,
    (path) => wanted !== "" && path.includes(wanted),
  ];
  for (const test of tests) {
    const fitting = paths.filter(test);
    if (fitting.length === 1) return { is: "found", path: fitting[0]! };
    if (fitting.length > 1) return { is: "ambiguous", candidates: fitting.slice(0, 10) };
  }
  const near = nearest(baseOf(wanted), paths.map(baseOf));
  return { is: "unknown", candidates: near };
}
