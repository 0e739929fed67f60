import type { PathOp } from "@massgen/contracts";
import type { Root } from "../grants.js";
import { quote, type Refusal } from "../refusal.js";
import { isRemoving, lookedUpAt, type Place } from "./decide-path.js";
import { followLinks } from "./follow-links.js";
import { listTree, noTree, type TreeContent } from "./list-tree.js";
import { below } from "./names.js";
import { readPath, type SyntaxContext } from "./path-syntax.js";
import { type Asked, escapes, invalidPath } from "./refusals.js";

export type LookedUp = { readonly ok: true; readonly place: Place } | { readonly ok: false; readonly refusal: Refusal };

/**
 * Where a path that an agent wrote leads, and what is there. Removing and moving away is done to a link, everything else
 * to what it leads to. `path` is what `asked` speaks of, perhaps with a folder in front. Throws when the disk cannot be looked at.
 */
export async function lookUp(asked: Asked, path: string, syntax: SyntaxContext, roots: readonly Root[]): Promise<LookedUp> {
  const read = readPath(path, syntax);
  if (!read.ok) return { ok: false, refusal: invalidPath(asked, read.fault) };
  try {
    const followed = await followLinks(lookedUpAt(read.lexical, roots), isRemoving(asked.op) ? "keep" : "follow");
    if (followed === null) return { ok: false, refusal: escapes(asked) };
    const inside = followed.object?.kind === "folder" ? await contentOf(asked.op, followed.real, roots) : noTree;
    return { ok: true, place: { lexical: read.lexical, ...followed, inside } };
  } catch (error) {
    if (isTooLong(error)) return { ok: false, refusal: invalidPath(asked, "has a name that is too long for the disk") };
    throw new Error(`${quote(asked.written)} could not be looked up`, { cause: error });
  }
}

/** Only what goes away as a whole is listed, and not in the agent's own folder, unless something in it is protected. */
async function contentOf(op: PathOp, real: string, roots: readonly Root[]): Promise<TreeContent> {
  if (op !== "delete_tree" && op !== "move_from" && op !== "move_to") return noTree;
  const holding = roots.filter((root) => below(root.real, real) !== null);
  const free = holding.some((root) => root.kind === "workspace" && root.protects.length === 0);
  return free || holding.length === 0 ? noTree : listTree(real);
}

const isTooLong = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
