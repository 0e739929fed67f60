import { type BigIntStats, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@massgen/contracts";
import type { Pacer } from "../pacer.js";
import type { Excludes } from "../tree/exclude.js";
import { type CopiedFile, NO_LIMITS, type Skipped } from "../tree/manifest.js";
import { HASHED_BYTES, isSame, readInside, tickNs } from "../tree/read-file.js";
import { type FoundFile, scanTree } from "../tree/scan-tree.js";
import { diffTexts } from "./diff-text.js";
import { runsLater } from "./runs-later.js";

/** A tree as it was. */
export interface TreeBefore {
  /** Where its contents can still be read. */
  readonly root: string;
  readonly files: ReadonlyMap<string, FileBefore>;
  readonly links: ReadonlyMap<string, string>;
}

interface FileBefore {
  readonly file: CopiedFile;
  /** Of the file in the tree it is compared with, when both were the same. */
  readonly stat: BigIntStats;
  readonly seenAtNs: bigint;
}

export interface Comparison {
  /** What runs later first, else by name. */
  readonly changes: readonly Omit<FileChange, "path">[];
  /** What could not be looked at, and counts as unchanged: a folder nobody can read has not lost its files. */
  readonly skipped: readonly Skipped[];
}

/** What is different in the tree at `root`. */
export async function compareTrees(before: TreeBefore, root: string, excludes: Excludes, pace: Pacer): Promise<Comparison> {
  const scan = await scanTree(root, excludes, NO_LIMITS, pace);
  const changes: Omit<FileChange, "path">[] = [];
  const files = new Map(scan.files.map((found) => [found.path, found]));
  const unseen = scan.skipped.map(({ path }) => path);
  const isGone = (name: string): boolean =>
    !files.has(name) && !links.has(name) && !excludes(name) && !unseen.some((path) => name === path || name.startsWith(`${path}/`));
  const links = new Map(scan.links.map(({ path, target }) => [path, target]));
  for (const [name, found] of files) {
    await pace();
    const known = before.files.get(name);
    if (known === undefined) changes.push(fileChange(before.root, root, name, null, found));
    else if (isChanged(known, root, found)) changes.push(fileChange(before.root, root, name, known, found));
  }
  for (const [name, known] of before.files) {
    await pace();
    if (isGone(name)) changes.push(fileChange(before.root, root, name, known, null));
  }
  for (const [name, target] of links) if (before.links.get(name) !== target) changes.push(linkChange(name, target, before.links.has(name)));
  for (const name of before.links.keys()) if (isGone(name)) changes.push({ ...linkChange(name, null, true), kind: "deleted" });
  return {
    changes: changes.toSorted((a, b) => Number(b.runsLater) - Number(a.runsLater) || (a.name < b.name ? -1 : 1)),
    skipped: scan.skipped,
  };
}

const isProgramIn = ({ stat }: FoundFile): boolean => (stat.mode & 0o111n) !== 0n;

function isChanged({ file, stat, seenAtNs }: FileBefore, root: string, found: FoundFile): boolean {
  if (isSame(stat, found.stat) && seenAtNs - stat.ctimeNs > tickNs(stat)) return false;
  if (BigInt(file.size) !== found.stat.size || isProgramIn(found) !== (file.mode === 0o755)) return true;
  return file.sha256 === null || readInside(root, found.path)?.sha256 !== file.sha256;
}

function fileChange(
  beforeRoot: string,
  root: string,
  name: string,
  known: FileBefore | null,
  found: FoundFile | null,
): Omit<FileChange, "path"> {
  const isLarge = (known?.file.size ?? 0) > HASHED_BYTES || (found !== null && found.stat.size > HASHED_BYTES);
  const old = known === null || isLarge ? null : contentOf(beforeRoot, name);
  const now = found === null || isLarge ? null : (readInside(root, name)?.content ?? null);
  return {
    name,
    kind: known === null ? "added" : found === null ? "deleted" : "modified",
    sizeBefore: known?.file.size ?? null,
    sizeAfter: found === null ? null : Number(found.stat.size),
    linkTo: null,
    isProgram: found === null ? false : isProgramIn(found),
    runsLater: runsLater(name) || (found !== null && isProgramIn(found)),
    ...(isLarge ? { addedLines: 0, removedLines: 0, diff: null, isBinary: true } : diffTexts(name, old, now)),
  };
}

/** Only to be shown: a file that has gone meanwhile shows as empty. */
function contentOf(root: string, name: string): Buffer | null {
  try {
    return readFileSync(join(root, name));
  } catch {
    return null;
  }
}

const linkChange = (name: string, target: string | null, wasLink: boolean): Omit<FileChange, "path"> => ({
  name,
  kind: wasLink ? "modified" : "added",
  sizeBefore: null,
  sizeAfter: null,
  linkTo: target,
  isProgram: false,
  runsLater: runsLater(name),
  addedLines: 0,
  removedLines: 0,
  diff: null,
  isBinary: false,
});
