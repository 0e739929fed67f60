import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange } from "@massgen/contracts";
import { codeOf, type Disk } from "../disk.js";
import { createPacer } from "../pacer.js";
import type { Skipped } from "../tree/manifest.js";
import { applyChange, type Expected } from "./apply-change.js";

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

/** Whether a change may be brought; asked for every one. */
export type MayBring = (change: FileChange) => boolean | Promise<boolean>;

/** A change with all that is needed to bring it. */
export interface Bringable {
  readonly change: FileChange;
  /** The context path, or the folder of a file that is one; real. */
  readonly sourceRoot: string;
  /** Where the new content is, under the same name. */
  readonly stagedRoot: string;
  readonly expected: Expected;
  /** Of a deletion: folders, relative, that go with it when nothing else is in them; innermost first. */
  readonly goneFolders: readonly string[];
  /** Keeps the presenter's file for people and says where. */
  readonly keep: () => string | null;
}

/** Brings changes to their places, file by file, deletions first: a file may have become a folder. */
export async function bringChanges(
  all: readonly Bringable[],
  { disk, signal, mayBring }: { readonly disk: Disk; readonly signal: AbortSignal | undefined; readonly mayBring: MayBring },
): Promise<Omit<ApplyReport, "skipped">> {
  const report = { applied: [] as FileChange[], conflicts: [] as ApplyReport["conflicts"][number][], refused: [] as FileChange[] };
  for (const one of all.toSorted((a, b) => Number(b.change.kind === "deleted") - Number(a.change.kind === "deleted"))) {
    const { change } = one;
    if (!(await mayBring(change))) {
      report.refused.push(change);
      continue;
    }
    const reason = await bring(one, disk, signal);
    if (reason === null) report.applied.push(change);
    else report.conflicts.push({ change, reason, keptAt: change.kind === "deleted" || change.linkTo !== null ? null : one.keep() });
  }
  return report;
}

/** A disk that refuses one file must not hide what became of the others. */
async function bring(
  { change, sourceRoot, stagedRoot, expected, goneFolders }: Bringable,
  disk: Disk,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  try {
    const reason = await applyChange(change, expected, { root: sourceRoot, stagedRoot, disk, pace: createPacer(signal) });
    if (reason === null && change.kind === "deleted") removeEmptied(sourceRoot, goneFolders);
    return reason;
  } catch (error) {
    if (codeOf(error) === "" || !(error instanceof Error)) throw error;
    return error.message;
  }
}

/** Folders that had nothing but what was deleted go as they went in the copy. */
function removeEmptied(root: string, folders: readonly string[]): void {
  for (const folder of folders) {
    const place = join(root, folder);
    if (!isFolder(place) || readdirSync(place).length > 0) return;
    rmdirSync(place);
  }
}

/** Folders above a deleted file that are not in the copy any more, innermost first. */
export function goneFolders(copyRoot: string, name: string): readonly string[] {
  const gone: string[] = [];
  for (let folder = dirname(name); folder !== "." && !isFolder(join(copyRoot, folder)); folder = dirname(folder)) gone.push(folder);
  return gone;
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
