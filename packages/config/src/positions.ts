import type { SourceSpan } from "./issue.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, pathOf } from "./tree.js";

/** Where things stand in the file. Paths are those of issues, `agents[0].backend.type`; the single-agent form answers to `agents[0]` too. */
export interface PositionIndex {
  /** The key that ends the path, or the value where there is no key; `null` for paths that are not in the file. */
  key(path: string): SourceSpan | null;
  value(path: string): SourceSpan | null;
}

export const noPositions: PositionIndex = { key: () => null, value: () => null };

/** Indexes on first use: most runs never ask. */
export function createPositions(root: ConfigNode, locate: Reporter["locate"]): PositionIndex {
  let index: ReadonlyMap<string, ConfigNode> | null = null;
  const find = (path: string): ConfigNode | undefined => {
    index ??= indexOf(root);
    return index.get(path);
  };
  return {
    key: (path) => {
      const node = find(path);
      return node === undefined ? null : locate(node.keyRange ?? node.range);
    },
    value: (path) => locate(find(path)?.range ?? null),
  };
}

function indexOf(root: ConfigNode): ReadonlyMap<string, ConfigNode> {
  const index = new Map<string, ConfigNode>();
  const visit = (node: ConfigNode, path: string): void => {
    index.set(path, node);
    const written = pathOf(node);
    if (!index.has(written)) index.set(written, node);
    if (node.kind === "list") for (const [at, item] of node.items.entries()) visit(item, `${path}[${at}]`);
    if (node.kind === "map") for (const [key, value] of node.entries) visit(value, path === "" ? key : `${path}.${key}`);
  };
  visit(root, "");
  return index;
}
