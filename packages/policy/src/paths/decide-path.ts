import { dirname, join } from "node:path";
import type { PathOp, PolicyVerdict, ResolvedPath } from "@massgen/contracts";
import type { Root } from "../grants.js";
import { isRefused, type Refusal } from "../refusal.js";
import { INTERNAL, secretName, unwritableName } from "./exclusions.js";
import type { FoundObject } from "./follow-links.js";
import { type HardFloor, isKernelPath, storeOf } from "./hard-floor.js";
import type { TreeContent } from "./list-tree.js";
import { below, foldName, sameAs } from "./names.js";
import {
  type Asked,
  critical,
  escapes,
  excluded,
  hardLink,
  notListed,
  outside,
  protectedPath,
  readOnly,
  secretFile,
  specialFile,
} from "./refusals.js";

/** Everything the disk has to say about a path before it is decided on. */
export interface Place extends ResolvedPath {
  readonly object: FoundObject | null;
  /** Everything below, for operations that take a whole tree along; empty otherwise. */
  readonly inside: TreeContent;
}

export interface PathRules {
  readonly roots: readonly Root[];
  readonly floor: HardFloor;
}

const READS: ReadonlySet<PathOp> = new Set(["list", "stat", "read", "copy_from", "exec_cwd"]);
const REMOVES: ReadonlySet<PathOp> = new Set(["delete", "delete_tree", "move_from"]);
/** Ops that only concern a name, whatever kind of object bears it. */
const NAMES_ONLY: ReadonlySet<PathOp> = new Set(["stat", "list", "delete", "delete_tree", "move_from"]);

const isReading = (op: PathOp): boolean => READS.has(op);
export const isRemoving = (op: PathOp): boolean => REMOVES.has(op);

/**
 * The decision of docs/spec/tools.md 2.4 for a path that has been looked up: what was written and where it leads must both
 * be granted, and for a whole tree everything in it. Pure.
 */
export function decidePath(asked: Asked, place: Place, rules: PathRules): PolicyVerdict {
  const asWritten = judge(asked, place.lexical, "path", rules);
  if (asWritten.type === "deny") return asWritten;
  const asFound = judge(asked, place.real, "real", rules);
  if (asFound.type === "deny") return followedOut(asFound) ? escapes(asked) : asFound;
  return judgeObject(asked, place, rules) ?? judgeInside(asked, place, rules) ?? asFound;
}

const followedOut = (refusal: Refusal): boolean => isRefused(refusal, "PATH_OUTSIDE", "NOT_LISTED_FILE");

type Spelling = "path" | "real";

function judge(asked: Asked, path: string, spelling: Spelling, rules: PathRules): PolicyVerdict {
  const found = deepestRoot(path, spelling, rules.roots);
  if (found === null) return outsideOf(asked, path, spelling, rules.roots);
  if (isKernelPath(path, rules.floor)) return outside(asked, rules.roots);
  const store = storeOf(path, rules.floor);
  if (store !== null && !livesIn(store, found.root)) return secretFile(asked, found.names.at(-1) ?? asked.written);
  const refusal = isReading(asked.op) ? judgeRead(asked, found, rules) : judgeWrite(asked, path, spelling, found, rules);
  return refusal ?? { type: "allow", rule: found.root.kind };
}

/** Our own folders may lie in such a place, as `~/.massgen/workspaces` does; what the person pointed at may not. */
const livesIn = (store: string, root: Root): boolean =>
  (!root.kind.startsWith("context") || root.standsFor !== null) && below(store, root.real, true) !== null;

interface FoundRoot {
  readonly root: Root;
  /** Names from the root down to the path. */
  readonly names: readonly string[];
}

const LAXITY: Readonly<Record<Root["write"], number>> = { no: 0, later: 1, yes: 2 };

/** The innermost grant; of two on one path the file, then the stricter one. */
function deepestRoot(path: string, spelling: Spelling, roots: readonly Root[]): FoundRoot | null {
  const holding = roots.flatMap((root) => {
    const names = namesBelow(root, path, spelling);
    return names === null ? [] : [{ root, names }];
  });
  const rank = ({ root, names }: FoundRoot): number => names.length * 10 - (root.kind === "context_file" ? 5 : 0) + LAXITY[root.write];
  return holding.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** What is written may name a root either way; where it leads is compared exactly, as the volume spells it. */
function namesBelow(root: Root, path: string, spelling: Spelling): readonly string[] | null {
  if (spelling === "real") return below(root.real, path);
  const named = (base: string): readonly string[] | null => below(base, path, root.foldsCase);
  if (root.standsFor === null) return named(root.path) ?? named(root.real);
  // A stand-in may lie below what it stands for, as our own folder does in a project.
  return named(root.real) ?? named(root.path) ?? named(root.standsFor);
}

/** Where a path is looked up: below a stand-in there, under the same name; the innermost grant counts. */
export function lookedUpAt(path: string, roots: readonly Root[]): string {
  const found = deepestRoot(path, "path", roots);
  if (found !== null) return found.root.standsFor === null ? path : join(found.root.real, ...found.names);
  const file = roots.find(({ kind, standsFor, path: given }) => kind === "context_file" && standsFor !== null && dirname(given) === path);
  return file === undefined ? path : dirname(file.real);
}

function outsideOf(asked: Asked, path: string, spelling: Spelling, roots: readonly Root[]): PolicyVerdict {
  const listed = roots.filter((root) => root.kind === "context_file");
  const parentOf = (root: Root, folder: string): boolean =>
    folder === dirname(root.real) || (spelling === "path" && folder === dirname(root.path));
  // The folder of a listed file can be listed, so that the file can be found; what is shown of it is decided name by name.
  if (asked.op === "list" && listed.some((root) => parentOf(root, path))) return { type: "allow", rule: "context_file_parent" };
  const sibling = listed.find((root) => parentOf(root, dirname(path)));
  return sibling === undefined ? outside(asked, roots) : notListed(asked, sibling.path);
}

function judgeRead(asked: Asked, { root, names }: FoundRoot, rules: PathRules): Refusal | null {
  if (root.kind === "workspace") return null;
  if (names.some((name) => foldName(name) === INTERNAL)) return outside(asked, rules.roots);
  const secret = asked.op === "stat" ? null : secretName(names);
  return secret === null || root.allowsRead(names.join("/")) ? null : secretFile(asked, secret);
}

function judgeWrite(asked: Asked, path: string, spelling: Spelling, found: FoundRoot, rules: PathRules): Refusal | null {
  const { root, names } = found;
  if (root.kind !== "workspace" && names.some((name) => foldName(name) === INTERNAL)) return outside(asked, rules.roots);
  const shielded = protectedBy(asked, path, spelling, rules.roots);
  if (shielded !== null) return protectedPath(asked, shielded);
  if (root.kind !== "workspace" && !root.allowsWrite(names.join("/"))) {
    const secret = secretName(names);
    if (secret !== null) return secretFile(asked, secret);
    const fixed = unwritableName(names);
    if (fixed !== null) return isRemoving(asked.op) ? critical(asked, `"${fixed}" is not to be removed`) : excluded(asked, fixed);
  }
  if (root.write !== "yes") return readOnly(asked, root);
  return replacesRoot(asked, path, spelling, rules.roots) ? critical(asked, "it is, or holds, a folder you were given") : null;
}

/** The protected path that a change here would touch: at it, below it, or with it when a whole folder goes. */
function protectedBy(asked: Asked, path: string, spelling: Spelling, roots: readonly Root[]): string | null {
  for (const root of roots) {
    const inside = namesBelow(root, path, spelling);
    const base = root.kind === "context_file" ? null : inside;
    const names = base ?? (root.kind === "context_file" && inside !== null ? [root.real.split(/[\\/]/).at(-1)!] : null);
    if (names === null) continue;
    const hit = root.protects.find(({ names: shielded, matches }) => {
      const prefixes = names.map((_, index) => names.slice(0, index + 1));
      if (prefixes.some((prefix) => matches(prefix.join("/")) || sameNames(prefix, shielded, root.foldsCase))) return true;
      return replaces(asked.op) && sameNames(names, shielded.slice(0, names.length), root.foldsCase);
    });
    if (hit !== undefined) return hit.written;
  }
  return null;
}

const sameNames = (a: readonly string[], b: readonly string[], foldsCase: boolean): boolean =>
  a.length === b.length && a.every((name, index) => sameAs(name, foldsCase) === sameAs(b[index]!, foldsCase));

/** Ops after which what was at the path is gone. */
const replaces = (op: PathOp): boolean => isRemoving(op) || op === "move_to";

function replacesRoot(asked: Asked, path: string, spelling: Spelling, roots: readonly Root[]): boolean {
  if (!replaces(asked.op)) return false;
  return roots.some((root) => {
    if (root.kind === "context_file" && sameNames([root[spelling]], [path], root.foldsCase)) return false;
    return below(path, root.real, true) !== null || (spelling === "path" && below(path, root.path, true) !== null);
  });
}

function judgeObject(asked: Asked, { object, real }: Place, rules: PathRules): Refusal | null {
  if (object === null) return null;
  if (object.kind === "special" && !NAMES_ONLY.has(asked.op)) return specialFile(asked);
  const writes = asked.op === "write" || asked.op === "copy_to" || asked.op === "create";
  const own = deepestRoot(real, "real", rules.roots)?.root.kind === "workspace";
  return writes && object.kind === "file" && object.links > 1 && !own ? hardLink(asked) : null;
}

/** A tree that goes away takes everything in it along, so everything in it has to be free to go. */
function judgeInside(asked: Asked, { inside }: Place, rules: PathRules): Refusal | null {
  if (inside.kind === "too_large") return critical(asked, `it holds more than ${inside.limit} entries, too many to check`);
  if (inside.kind === "other_volume") return critical(asked, "another volume is mounted in it");
  for (const path of inside.paths) {
    const verdict = judge({ op: "delete", written: asked.written }, path, "real", rules);
    if (verdict.type === "deny") return { ...verdict, reason: `${verdict.reason} This is about something inside the folder.` };
  }
  return null;
}
