import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileChange } from "@massgen/contracts";
import { type Disk, nodeDisk } from "../disk.js";
import { createPacer } from "../pacer.js";
import type { Skipped } from "../tree/manifest.js";
import { emptyFolder } from "../tree/remove-tree.js";
import type { Cancellable } from "../workspace.js";
import { type ApplyReport, type Bringable, bringChanges, goneFolders } from "./bring-changes.js";
import { type Comparison, compareTrees } from "./compare-trees.js";
import { type ContextCopy, type ContextCopyOptions, type CopiedContext, copyContextPaths, expectedAt, withoutGit } from "./context-copy.js";
import { type KeptChanges, keepChanges } from "./kept-changes.js";

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
  /** Writes the changes to a folder that outlives the copies, for `applyKeptChanges`. */
  keep(folder: string, options?: Cancellable & { readonly askFirst?: boolean }): Promise<KeptChanges>;
  /** Removes the copies. */
  discard(): Promise<void>;
}

export interface StageOptions extends ContextCopyOptions {
  /** Whether the presenter may write there; asked for every changed path, absolute. Default: everywhere. */
  readonly mayWrite?: (path: string, kind: FileChange["kind"]) => boolean | Promise<boolean>;
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
  const bringable = async (
    signal: AbortSignal | undefined,
    conflictsTo: string | undefined,
  ): Promise<{ readonly all: readonly Bringable[]; readonly skipped: readonly Skipped[] }> => {
    const found = { all: [] as Bringable[], skipped: [] as Skipped[] };
    for (const copy of copies) {
      const { changes, skipped } = await changesOf(copy, signal);
      found.skipped.push(...skipped);
      for (const change of changes)
        found.all.push({
          change,
          sourceRoot: copy.sourceRoot,
          stagedRoot: copy.copyRoot,
          expected: expectedAt(copy, change.name),
          goneFolders: change.kind === "deleted" ? goneFolders(copy.copyRoot, change.name) : [],
          keep: () => keep(copy, change, conflictsTo, disk),
        });
    }
    return found;
  };
  return {
    paths: copies.map(({ path }) => path),
    async changes({ signal } = {}) {
      const all: FileChange[] = [];
      for (const copy of copies) all.push(...(await changesOf(copy, signal)).changes);
      return all.toSorted((a, b) => Number(b.runsLater) - Number(a.runsLater));
    },
    async apply({ signal, only, conflictsTo } = {}) {
      const { all, skipped } = await bringable(signal, conflictsTo);
      const wanted = all.filter(({ change }) => only?.has(change.path) ?? true);
      const report = await bringChanges(wanted, { disk, signal, mayBring: ({ path, kind }) => mayWrite(path, kind) });
      for (const { path } of report.applied) done.add(path);
      return { ...report, skipped };
    },
    async keep(folder, { signal, askFirst = false } = {}) {
      const { all, skipped } = await bringable(signal, undefined);
      const runFirst = all.toSorted((a, b) => Number(b.change.runsLater) - Number(a.change.runsLater));
      return keepChanges(folder, runFirst, { skipped, askFirst, mayBring: (change) => mayWrite(change.path, change.kind) });
    },
    discard: async () => (existsSync(dir) ? emptyFolder(dir, createPacer()) : undefined),
  };
}

function keep(copy: ContextCopy, { name }: FileChange, to: string | undefined, disk: Disk): string {
  const staged = join(copy.copyRoot, name);
  if (to === undefined) return staged;
  // Two context paths may have one name, but not one number.
  const kept = join(to, `${basename(copy.copyRoot)}_${basename(copy.sourceRoot)}`, name);
  mkdirSync(dirname(kept), { recursive: true });
  rmSync(kept, { force: true });
  disk.copyFileSync(staged, kept);
  return kept;
}
