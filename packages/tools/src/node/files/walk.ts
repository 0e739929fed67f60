import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { openEntry } from "./file-bytes.js";
import { type HeldFolder, holdChild, inFolder } from "./held-folder.js";
import { Refusal } from "./refusal.js";

export interface Entry {
  /** From the folder the walk began in, with `/` on every system. */
  readonly path: string;
  readonly real: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly depth: number;
}

export interface WalkOptions {
  /** Levels below the start; everything when not given. */
  readonly depth?: number;
  /** Also what `.gitignore` files and the default exclusions leave out. */
  readonly includeIgnored: boolean;
  /** Also names that begin with a dot. */
  readonly showHidden: boolean;
  /** Says of an entry that it may be shown; a folder that may not is not entered. */
  readonly mayUse: (real: string) => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Called for each entry while its folder is held; a walk is stopped by `"stop"`, a folder is not entered with `"skip"`. */
  readonly visit: (entry: Entry, folder: HeldFolder) => Promise<"stop" | "skip" | undefined> | "stop" | "skip" | undefined;
}

/** Not worth a look in any project: what tools make, and what belongs to version control or to MassGen. */
export const excludedNames: ReadonlySet<string> = new Set([
  ...[".git", ".hg", ".svn", ".massgen", "massgen_logs", ".tool_results", "node_modules", "__pycache__", ".venv", "venv"],
  ...[".pytest_cache", ".mypy_cache", ".ruff_cache", ".DS_Store"],
]);

/** Goes through the tree below the real path of a folder, names in order, a folder before what is in it; never through a link. */
export async function walk(root: string, options: WalkOptions): Promise<void> {
  await inFolder(root, (folder) => walkFolder(folder, { at: "", depth: 1, rules: [] }, options));
}

interface Where {
  readonly at: string;
  readonly depth: number;
  readonly rules: readonly { readonly base: string; readonly rule: Ignore }[];
}

async function walkFolder(folder: HeldFolder, where: Where, options: WalkOptions): Promise<"stop" | undefined> {
  const rules = options.includeIgnored ? [] : await withRules(folder, where);
  for (const entry of await entriesOf(folder)) {
    options.signal.throwIfAborted();
    const path = `${where.at}${entry.name}`;
    const kind = kindOf(entry);
    if (isLeftOut(entry.name, path, kind, rules, options)) continue;
    const real = join(folder.real, entry.name);
    if (!(await options.mayUse(real))) continue;
    const next = await options.visit({ path, real, kind, depth: where.depth }, folder);
    if (next === "stop") return "stop";
    if (kind !== "folder" || next === "skip" || where.depth >= (options.depth ?? Number.POSITIVE_INFINITY)) continue;
    if ((await enter(folder, entry.name, { at: `${path}/`, depth: where.depth + 1, rules }, options)) === "stop") return "stop";
  }
  return undefined;
}

async function enter(parent: HeldFolder, name: string, where: Where, options: WalkOptions): Promise<"stop" | undefined> {
  const child = await holdChild(parent, name).catch(unlessGone);
  if (child === null) return undefined;
  try {
    return await walkFolder(child, where, options);
  } finally {
    await child.close();
  }
}

/** What disappears, becomes a link, or may not be opened while it is walked is passed over. */
function unlessGone(error: unknown): null {
  if (error instanceof Refusal) return null;
  if (error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM")) return null;
  throw error;
}

export async function entriesOf(folder: HeldFolder): Promise<readonly Dirent[]> {
  const entries = await readdir(folder.self, { withFileTypes: true });
  await folder.verify();
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

export const kindOf = (entry: Dirent): Entry["kind"] =>
  entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";

function isLeftOut(name: string, path: string, kind: Entry["kind"], rules: Where["rules"], options: WalkOptions): boolean {
  if (!options.showHidden && name.startsWith(".")) return true;
  if (options.includeIgnored) return false;
  if (excludedNames.has(name)) return true;
  const asked = kind === "folder" ? `${path}/` : path;
  let isIgnored = false;
  for (const { base, rule } of rules) {
    const verdict = rule.test(asked.slice(base.length));
    if (verdict.ignored) isIgnored = true;
    if (verdict.unignored) isIgnored = false;
  }
  return isIgnored;
}

const MAX_RULES_BYTES = 1024 * 1024;

async function withRules(folder: HeldFolder, where: Where): Promise<Where["rules"]> {
  const opened = await openEntry(folder, ".gitignore").catch(unlessGone);
  if (opened === null) return where.rules;
  try {
    if (opened.state.size > MAX_RULES_BYTES) return where.rules;
    const text = await opened.handle.readFile("utf8");
    return [...where.rules, { base: where.at, rule: ignore().add(text) }];
  } finally {
    await opened.handle.close();
  }
}
