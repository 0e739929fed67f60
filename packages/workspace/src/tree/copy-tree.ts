import { type BigIntStats, closeSync } from "node:fs";
import { join } from "node:path";
import { codeOf, type Disk } from "../disk.js";
import type { Pacer } from "../pacer.js";
import { chooseFiles } from "./choose-files.js";
import type { Excludes } from "./exclude.js";
import type { CopiedFile, Skipped, SkipReason, TreeLimits, TreeManifest } from "./manifest.js";
import { HASHED_BYTES, openInside, readInPieces, readInside } from "./read-file.js";
import { type FoundFile, scanTree } from "./scan-tree.js";
import { writeAll, writeNew } from "./write-file.js";

/** Finished copies that a new copy may share its content with, because nobody ever writes to them. */
export interface Shared {
  /** The finished file with the content of this one, judged by what the system tells about it; `null` when that is not certain. */
  unchanged(path: string, stat: BigIntStats): { readonly at: string; readonly file: CopiedFile } | null;
  /** A finished file with this content and these rights. */
  withContent(sha256: string, mode: number): string | null;
}

export interface CopyOptions {
  readonly disk: Disk;
  readonly excludes: Excludes;
  readonly limits: TreeLimits;
  readonly pace: Pacer;
  /** The bits a copied file gets, from those of 0o644 or 0o755 that describe it. Default: these. */
  readonly modeOf?: (mode: number) => number;
  readonly shared?: Shared;
  /** Told of each file as it was when it was read. */
  readonly onCopied?: (file: CopiedFile, stat: BigIntStats) => void;
}

/**
 * Copies what is in `from` into the folder `to`, which is there and empty. Links inside of the tree stay links, hard links
 * become files of their own; everything else than files and folders is named in `skipped`. Rights beyond reading, and
 * running what can be run, are not copied.
 *
 * @throws what the disk throws when it cannot take a file; `to` is then unfinished and the caller's to remove
 */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<TreeManifest> {
  const scan = await scanTree(from, options.excludes, options.limits, options.pace);
  const { chosen, skipped } = chooseFiles(scan.files, options.limits);
  const copy = { files: [] as CopiedFile[], skipped: [...scan.skipped, ...skipped] };
  // Two names of one folder for the copy's file system, `A` and `a`: the second and what is in it stay out.
  const missing = new Set<string>();
  const fits = (path: string): boolean => !missing.has(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  const skip = (path: string, reason: SkipReason): void => void copy.skipped.push({ path, reason });

  for (const path of scan.folders) {
    await options.pace();
    if (fits(path) && makes(() => options.disk.mkdirSync(join(to, path)))) continue;
    missing.add(path);
    skip(path, "name_collision");
  }
  for (const found of chosen) {
    await options.pace();
    const copied = fits(found.path) ? await copyFile(from, to, found, options) : "name_collision";
    if (typeof copied === "string") skip(found.path, copied);
    else copy.files.push(copied);
  }
  const links = scan.links.filter(({ path, target }) => {
    if (fits(path) && makes(() => options.disk.symlinkSync(target, join(to, path)))) return true;
    skip(path, "name_collision");
    return false;
  });
  return {
    files: copy.files,
    links,
    skipped: copy.skipped satisfies readonly Skipped[],
    bytes: copy.files.reduce((sum, { size }) => sum + size, 0),
  };
}

function makes(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function copyFile(from: string, to: string, found: FoundFile, options: CopyOptions): Promise<CopiedFile | SkipReason> {
  try {
    return found.stat.size > HASHED_BYTES ? await copyLarge(from, to, found, options) : copySmall(from, to, found, options);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return "name_collision";
    throw error;
  }
}

const modeFor = (stat: BigIntStats): number => ((stat.mode & 0o111n) === 0n ? 0o644 : 0o755);

function copySmall(from: string, to: string, { path, stat }: FoundFile, options: CopyOptions): CopiedFile | SkipReason {
  const { disk, shared, modeOf = (mode) => mode } = options;
  const known = shared?.unchanged(path, stat) ?? null;
  if (known !== null && links(disk, known.at, join(to, path))) {
    options.onCopied?.(known.file, stat);
    return known.file;
  }
  const reading = readInside(from, path);
  if (reading === null) return isReadable(from, path) ? "changed_while_copied" : "unreadable";
  const mode = modeFor(reading.stat);
  const file: CopiedFile = {
    path,
    size: reading.content.length,
    mode,
    sha256: reading.sha256,
    ...(reading.torn && { torn: true }),
  };
  const same = shared?.withContent(reading.sha256, mode) ?? null;
  if (same === null || !links(disk, same, join(to, path))) writeNew(disk, join(to, path), modeOf(mode), (write) => write(reading.content));
  options.onCopied?.(file, reading.stat);
  return file;
}

function isReadable(from: string, path: string): boolean {
  const opened = openInside(from, path);
  if (opened !== null) closeSync(opened.fd);
  return opened !== null;
}

/** Not hashed, so that it need not be held; shared only when it was not touched. */
async function copyLarge(from: string, to: string, { path, stat }: FoundFile, options: CopyOptions): Promise<CopiedFile | SkipReason> {
  const { disk, shared, modeOf = (mode) => mode } = options;
  const known = shared?.unchanged(path, stat) ?? null;
  if (known !== null && links(disk, known.at, join(to, path))) {
    options.onCopied?.(known.file, stat);
    return known.file;
  }
  const opened = openInside(from, path);
  if (opened === null) return "unreadable";
  try {
    const mode = modeFor(opened.stat);
    const target = disk.openSync(join(to, path), "wx", modeOf(mode));
    let torn: boolean;
    try {
      torn = await readInPieces(opened, (piece) => writeAll(disk, target, piece), options.pace);
    } finally {
      disk.closeSync(target);
    }
    const file: CopiedFile = { path, size: Number(opened.stat.size), mode, sha256: null, ...(torn && { torn: true }) };
    options.onCopied?.(file, opened.stat);
    return file;
  } finally {
    closeSync(opened.fd);
  }
}

/** File systems without links, and files with too many of them, get a copy instead. */
function links(disk: Disk, from: string, to: string): boolean {
  try {
    disk.linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT") throw error;
    return false;
  }
}
