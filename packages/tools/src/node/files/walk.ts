import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isHiddenName } from "@massgen/policy";
import ignore, { type Ignore } from "ignore";
import { openEntry } from "./file-bytes.js";
import { type HeldFolder, holdChild, inFolder } from "./held-folder.js";
import { Refusal } from "./refusal.js";
import { RESULT_FOLDER } from "./result-folder.js";

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
  /** Asked about `.gitignore` files above the start: what may not be read says nothing. */
  readonly mayReadRules: (real: string) => Promise<boolean>;
  /** Says of an entry that it may be shown; a folder that may not is not entered. */
  readonly mayUse: (real: string) => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Called for each entry while its folder is held; a walk is stopped by `"stop"`, a folder is not entered with `"skip"`. */
  readonly visit: (entry: Entry, folder: HeldFolder) => Promise<"stop" | "skip" | undefined> | "stop" | "skip" | undefined;
}

/** What belongs to the framework or to tools, and secrets: left out unless everything is asked for. */
const isExcluded = (name: string): boolean => name === RESULT_FOLDER || isHiddenName(name);

/** Goes through the tree below the real path of a folder, names in order, a folder before what is in it; never through a link. */
export async function walk(root: string, options: WalkOptions): Promise<void> {
  const above = options.includeIgnored ? [] : await rulesAbove(root, options);
  // Who names an ignored folder wants what is in it.
  const rules = isIgnored("", "folder", above) ? [] : above;
  await inFolder(root, (folder) => walkFolder(folder, { at: "", depth: 1, rules }, options));
}

interface Where {
  readonly at: string;
  readonly depth: number;
  readonly rules: readonly Rules[];
}

/** A `.gitignore`, and how a path of the walk is called from its folder: `prefix` and then all after `base`. */
interface Rules {
  readonly rule: Ignore;
  readonly base: string;
  readonly prefix: string;
}

/** Of the folders above the start, the outermost first, as far up as the agent may look. */
async function rulesAbove(root: string, { mayReadRules }: WalkOptions): Promise<readonly Rules[]> {
  const found: Rules[] = [];
  let prefix = "";
  for (let folder = root; dirname(folder) !== folder; ) {
    prefix = `${basename(folder)}/${prefix}`;
    folder = dirname(folder);
    if (!(await mayReadRules(join(folder, RULES_FILE)))) break;
    const rule = await inFolder(folder, readRules).catch(unlessGone);
    if (rule !== null) found.unshift({ rule, base: "", prefix });
  }
  return found;
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

async function entriesOf(folder: HeldFolder): Promise<readonly Dirent[]> {
  const entries = await readdir(folder.self, { withFileTypes: true });
  await folder.verify();
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const kindOf = (entry: Dirent): Entry["kind"] =>
  entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";

function isLeftOut(name: string, path: string, kind: Entry["kind"], rules: readonly Rules[], options: WalkOptions): boolean {
  if (!options.showHidden && name.startsWith(".")) return true;
  return !options.includeIgnored && (isExcluded(name) || isIgnored(path, kind, rules));
}

/** The innermost rule that says something decides. */
function isIgnored(path: string, kind: Entry["kind"], rules: readonly Rules[]): boolean {
  let ignored = false;
  for (const { rule, base, prefix } of rules) {
    const asked = `${prefix}${path.slice(base.length)}`;
    const verdict = rule.test(kind === "folder" && !asked.endsWith("/") ? `${asked}/` : asked);
    if (verdict.ignored) ignored = true;
    if (verdict.unignored) ignored = false;
  }
  return ignored;
}

const RULES_FILE = ".gitignore";
const MAX_RULES_BYTES = 1024 * 1024;

async function withRules(folder: HeldFolder, where: Where): Promise<readonly Rules[]> {
  const rule = await readRules(folder);
  return rule === null ? where.rules : [...where.rules, { rule, base: where.at, prefix: "" }];
}

async function readRules(folder: HeldFolder): Promise<Ignore | null> {
  const opened = await openEntry(folder, RULES_FILE).catch(unlessGone);
  if (opened === null) return null;
  try {
    return opened.state.size > MAX_RULES_BYTES ? null : ignore().add(await opened.handle.readFile("utf8"));
  } finally {
    await opened.handle.close();
  }
}
