import { type BigIntStats, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, nodeDisk } from "../disk.js";
import { createPacer } from "../pacer.js";
import { copyTree } from "../tree/copy-tree.js";
import { buildExcludes, type Excludes } from "../tree/exclude.js";
import type { CopiedFile, Skipped, TreeLimits } from "../tree/manifest.js";
import { aboutFiles, type Cancellable } from "../workspace.js";
import type { Expected } from "./apply-change.js";

/** A context path and its copy. */
export interface CopiedContext {
  readonly source: string;
  readonly copy: string;
  /** What is not in the copy, and therefore never changed. */
  readonly skipped: readonly Skipped[];
}

export interface ContextCopyOptions extends Cancellable {
  /** Files and folders, absolute. */
  readonly paths: readonly string[];
  /** An empty folder for the copies, of `Workspaces.makePrivateFolder`. */
  readonly dir: string;
  /** Globs of what is not copied, and so is not seen to change. Default: `.massgen`. */
  readonly exclude?: readonly string[];
  /** Default: 200 000 files, 8 GiB, 2 GiB a file. */
  readonly limits?: TreeLimits;
  /** For tests of full disks. */
  readonly disk?: Disk;
}

export interface ContextCopy {
  readonly path: CopiedContext;
  /** The context path, or the folder of a file that is one; real. */
  readonly sourceRoot: string;
  readonly copyRoot: string;
  readonly excludes: Excludes;
  readonly files: ReadonlyMap<string, CopiedState>;
  readonly links: ReadonlyMap<string, string>;
  /** When the copy was finished. */
  readonly copiedAtNs: bigint;
}

interface CopiedState {
  readonly file: CopiedFile;
  readonly source: BigIntStats;
  readonly copy: BigIntStats;
}

const LIMITS: TreeLimits = { maxFiles: 200_000, maxBytes: 8 * 2 ** 30, maxFileBytes: 2 ** 31 };

export async function copyContextPaths({ paths, dir, ...options }: ContextCopyOptions): Promise<readonly ContextCopy[]> {
  const copies: ContextCopy[] = [];
  for (const [place, path] of paths.entries())
    copies.push(await aboutFiles("A context path could not be copied", path, () => copyPath(path, join(dir, String(place + 1)), options)));
  return copies;
}

async function copyPath(
  path: string,
  copyRoot: string,
  { signal, exclude = [".massgen"], limits = LIMITS, disk = nodeDisk }: Omit<ContextCopyOptions, "paths" | "dir">,
): Promise<ContextCopy> {
  const { source, isFile } = lookAt(path);
  const sourceRoot = isFile ? dirname(source) : source;
  const excludes: Excludes = isFile ? (name) => name !== basename(source) : buildExcludes(exclude);
  const files = new Map<string, CopiedState>();
  mkdirSync(copyRoot);
  const { links, skipped } = await copyTree(sourceRoot, copyRoot, {
    disk,
    excludes,
    limits,
    pace: createPacer(signal),
    onCopied: (file, stat) => files.set(file.path, { file, source: stat, copy: lstatSync(join(copyRoot, file.path), { bigint: true }) }),
  });
  return {
    path: { source: path, copy: isFile ? join(copyRoot, basename(source)) : copyRoot, skipped },
    sourceRoot,
    copyRoot,
    excludes,
    files,
    links: new Map(links.map(({ path: link, target }) => [link, target])),
    copiedAtNs: BigInt(Date.now()) * 1_000_000n,
  };
}

/** A path that is not there is a file that may be made in a folder that is. */
function lookAt(path: string): { readonly source: string; readonly isFile: boolean } {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const source = isThere ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  return { source, isFile: !isThere || !lstatSync(source).isDirectory() };
}

/** Where `openStage` puts the copy of the context path with this number, from 0. */
export function copyOf(dir: string, number: number, path: string): string {
  const { source, isFile } = lookAt(path);
  const root = join(dir, String(number + 1));
  return isFile ? join(root, basename(source)) : root;
}

/** What is expected in the place of a change that is brought back. */
export function expectedAt({ files, links }: ContextCopy, name: string): Expected {
  const target = links.get(name);
  if (target !== undefined) return { is: "link", target };
  const state = files.get(name);
  return state === undefined ? { is: "nothing" } : { is: "file", stat: state.source, sha256: state.file.sha256 };
}

/** What git keeps for itself is never a change of an agent. */
export const withoutGit =
  (excludes: Excludes): Excludes =>
  (name) =>
    /(?:^|\/)\.git(?:\/|$)/i.test(name) || excludes(name);
