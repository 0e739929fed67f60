import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, type Disk, nodeDisk } from "../disk.js";
import { createPacer } from "../pacer.js";
import type { Skipped } from "../tree/manifest.js";
import { emptyFolder } from "../tree/remove-tree.js";
import type { Cancellable } from "../workspace.js";
import { applyChange } from "./apply-change.js";
import { type Comparison, compareTrees, type FileChange } from "./compare-trees.js";
import { type ContextCopy, type ContextCopyOptions, type CopiedContext, copyContextPaths, expectedAt, withoutGit } from "./context-copy.js";

export interface ApplyReport {
  readonly applied: readonly FileChange[];
  /**
   * Changes that could not be brought, with nothing touched where they belong: their places were changed meanwhile, or the
   * disk refused. `keptAt` has the presenter's file, unless it is a deletion or a link.
   */
  readonly conflicts: readonly { readonly change: FileChange; readonly reason: string; readonly keptAt: string | null }[];
  /** Changes that `mayWrite` forbids. */
  readonly refused: readonly FileChange[];
  /** Things in the copies that are neither files, folders nor links inside; what stood in their place is left. Absolute. */
  readonly skipped: readonly Skipped[];
}

export interface ApplyOptions extends Cancellable {
  /** Only these, by `FileChange.path`; default: all. */
  readonly only?: ReadonlySet<string>;
  /** Where the presenter's versions of files in conflict are kept for people. Default: only in the stage. */
  readonly conflictsTo?: string;
}

/** Copies of writable context paths: what is done to them is shown first, and brought back when it is accepted. */
export interface Stage {
  readonly paths: readonly CopiedContext[];
  /** What differs from the context paths as they were, what runs later first. `.git` is never compared and never brought. */
  changes(options?: Cancellable): Promise<readonly FileChange[]>;
  /** Brings the changes back file by file. A second call brings what was not brought yet. */
  apply(options?: ApplyOptions): Promise<ApplyReport>;
  /** Removes the copies. */
  discard(): Promise<void>;
}

export interface StageOptions extends ContextCopyOptions {
  /** Whether the presenter may write there; asked for every changed path, absolute. Default: everywhere. */
  readonly mayWrite?: (path: string) => boolean;
}

/**
 * Copies context paths for the presenter to work in.
 *
 * @throws MassgenError `STORE_FAILED` when they cannot be read or there is no room for the copies
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { dir, disk = nodeDisk, mayWrite = () => true } = options;
  const copies = await copyContextPaths(options);
  const done = new Set<string>();
  const changesOf = async (
    copy: ContextCopy,
    signal: AbortSignal | undefined,
  ): Promise<Omit<Comparison, "changes"> & { readonly changes: readonly FileChange[] }> => {
    const files = new Map([...copy.files].map(([name, { file, copy: stat }]) => [name, { file, stat, seenAtNs: copy.copiedAtNs }]));
    const before = { root: copy.sourceRoot, files, links: copy.links };
    const found = await compareTrees(before, copy.copyRoot, withoutGit(copy.excludes), createPacer(signal));
    const changes = found.changes.map((change) => ({ ...change, path: join(copy.sourceRoot, change.name) }));
    const skipped = found.skipped.map(({ path, reason }) => ({ path: join(copy.sourceRoot, path), reason }));
    return { changes: changes.filter(({ path }) => !done.has(path)), skipped };
  };
  return {
    paths: copies.map(({ path }) => path),
    async changes({ signal } = {}) {
      const all: FileChange[] = [];
      for (const copy of copies) all.push(...(await changesOf(copy, signal)).changes);
      return all.toSorted((a, b) => Number(b.runsLater) - Number(a.runsLater));
    },
    async apply({ signal, only, conflictsTo } = {}) {
      const report = {
        applied: [] as FileChange[],
        conflicts: [] as ApplyReport["conflicts"][number][],
        refused: [] as FileChange[],
        skipped: [] as Skipped[],
      };
      for (const copy of copies) {
        const { changes, skipped } = await changesOf(copy, signal);
        report.skipped.push(...skipped);
        const wanted = changes.filter(({ path }) => only?.has(path) ?? true);
        report.refused.push(...wanted.filter(({ path }) => !mayWrite(path)));
        // Deletions first: a file may have become a folder.
        const allowed = wanted.filter(({ path }) => mayWrite(path));
        for (const change of allowed.toSorted((a, b) => Number(b.kind === "deleted") - Number(a.kind === "deleted"))) {
          const reason = await bring(change, copy, disk, signal);
          if (reason !== null) report.conflicts.push({ change, reason, keptAt: keep(copy, change, conflictsTo, disk) });
          else {
            report.applied.push(change);
            done.add(change.path);
          }
        }
      }
      return report;
    },
    discard: async () => (existsSync(dir) ? emptyFolder(dir, createPacer()) : undefined),
  };
}

/** A disk that refuses one file must not hide what became of the others. */
async function bring(change: FileChange, copy: ContextCopy, disk: Disk, signal: AbortSignal | undefined): Promise<string | null> {
  const target = { root: copy.sourceRoot, stagedRoot: copy.copyRoot, disk, pace: createPacer(signal) };
  try {
    const reason = await applyChange(change, expectedAt(copy, change.name), target);
    if (reason === null && change.kind === "deleted") removeEmptied(copy, change.name);
    return reason;
  } catch (error) {
    if (codeOf(error) === "" || !(error instanceof Error)) throw error;
    return error.message;
  }
}

function keep(copy: ContextCopy, { name, kind, linkTo }: FileChange, to: string | undefined, disk: Disk): string | null {
  if (kind === "deleted" || linkTo !== null) return null;
  const staged = join(copy.copyRoot, name);
  if (to === undefined) return staged;
  // Two context paths may have one name, but not one number.
  const kept = join(to, `${basename(copy.copyRoot)}_${basename(copy.sourceRoot)}`, name);
  mkdirSync(dirname(kept), { recursive: true });
  rmSync(kept, { force: true });
  disk.copyFileSync(staged, kept);
  return kept;
}

/** Folders that had nothing but what was deleted go as they went in the copy. */
function removeEmptied({ sourceRoot, copyRoot }: ContextCopy, name: string): void {
  for (let folder = dirname(name); folder !== "."; folder = dirname(folder)) {
    const place = join(sourceRoot, folder);
    if (isFolder(join(copyRoot, folder)) || !isFolder(place) || readdirSync(place).length > 0) return;
    rmdirSync(place);
  }
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
