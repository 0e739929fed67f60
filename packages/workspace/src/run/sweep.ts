import { readdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, isAbsent } from "../disk.js";
import type { Pacer } from "../pacer.js";
import { isInside, tryRemoveTree } from "../tree/remove-tree.js";
import { forget, isRunning, readRecords } from "./run-record.js";

export interface SweepOptions {
  readonly runsDir: string;
  /** The folders below which runs make theirs; a record that names anything else is not believed. */
  readonly roots: readonly string[];
  readonly now: number;
  /** How long workspaces and snapshots of a run that is over are kept; `null` for ever. */
  readonly retentionMs: number | null;
  readonly pace: Pacer;
  readonly onWarning: (message: string) => void;
}

/** Removes what runs that are over have left, and nothing that their own records do not name. */
export async function sweepStaleRuns({ runsDir, roots, now, retentionMs, pace, onWarning }: SweepOptions): Promise<void> {
  for (const { file, record } of readRecords(runsDir)) {
    if (record.endedAt === null && isRunning(file, record, now)) continue;
    const isOld = retentionMs !== null && now - (record.endedAt ?? record.startedAt) > retentionMs;
    const folders = [...record.folders.passing, ...(isOld ? record.folders.lasting : [])];
    const failures = [];
    for (const folder of folders) {
      const failure = await tryRemoveTree(folder, roots, pace);
      if (failure === null) removeEmptyParents(folder, roots);
      else failures.push(failure);
    }
    for (const failure of failures) onWarning(failure);
    if (isOld && failures.length === 0) forget(file);
  }
}

/** `temp_workspaces/<runId>` goes with the last view in it. */
export function removeEmptyParents(folder: string, roots: readonly string[]): void {
  for (let parent = dirname(folder); roots.some((root) => isInside(root, parent)); parent = dirname(parent)) {
    try {
      if (readdirSync(parent).length > 0) return;
      rmdirSync(parent);
    } catch (error) {
      if (!isAbsent(error) && codeOf(error) !== "ENOTEMPTY") return;
    }
  }
}
