import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { lookAt } from "./follow-links.js";

export type TreeContent =
  | { readonly kind: "listed"; readonly paths: readonly string[] }
  | { readonly kind: "too_large"; readonly limit: number }
  | { readonly kind: "other_volume" };

export const noTree: TreeContent = { kind: "listed", paths: [] };
const MAX_ENTRIES = 20_000;

/** The paths of all that is below a real folder, without following links; stops at 20 000 entries and at mounted volumes. */
export async function listTree(folder: string): Promise<TreeContent> {
  const top = await lookAt(folder);
  if (top === null || top.kind !== "folder") return noTree;
  const paths: string[] = [];
  for (const queue = [folder]; queue.length > 0; ) {
    const next = queue.pop()!;
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (paths.push(path) > MAX_ENTRIES) return { kind: "too_large", limit: MAX_ENTRIES };
      if (!entry.isDirectory()) continue;
      if ((await lookAt(path))?.device !== top.device) return { kind: "other_volume" };
      queue.push(path);
    }
  }
  return { kind: "listed", paths };
}
