import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { MassgenError, type RunId } from "@massgen/contracts";
import { isAbsent } from "../disk.js";
import { isRunning, readRecord, writeWhole } from "./run-record.js";

/** Marks a folder of the user as one that agents work in. Never in a snapshot, never delivered. */
export const MARKER = ".massgen-workspace";

export interface GivenFolder {
  readonly root: string;
  /** What was there before the run, at the top: it is never removed. */
  readonly kept: ReadonlySet<string>;
}

/**
 * Opens an absolute folder that the user named for an agent. An empty one is marked; what a marked one holds stays.
 *
 * @throws MassgenError `CONFIG_INVALID` for a folder with files and without our mark, `RUN_BUSY` while another run works in it
 */
export function openGivenFolder(path: string, runId: RunId, runsDir: string, now: number): GivenFolder {
  mkdirSync(path, { recursive: true });
  const root = realpathSync(path);
  const names = readdirSync(root);
  if (names.length > 0 && !names.includes(MARKER)) throw notEmpty(path);
  const marker = join(root, MARKER);
  if (names.includes(MARKER)) refuseBusy(path, marker, runId, runsDir, now);
  writeWhole(marker, `${JSON.stringify({ runId, runsDir })}\n`);
  return { root, kept: new Set([...names, MARKER]) };
}

function refuseBusy(path: string, marker: string, runId: RunId, runsDir: string, now: number): void {
  const other = readMarker(marker);
  if (other === null || (other.runId === runId && other.runsDir === runsDir)) return;
  const file = join(other.runsDir, `${other.runId}.json`);
  const record = readRecord(file);
  if (record === null || record.endedAt !== null || !isRunning(file, record, now)) return;
  throw new MassgenError("RUN_BUSY", `${path} is the workspace of run ${other.runId}, which process ${record.process.pid} plays.`, {
    hint: "Wait for it to end, or give this run a cwd of its own. Relative names never collide.",
  });
}

function readMarker(marker: string): { readonly runId: string; readonly runsDir: string } | null {
  try {
    if (!lstatSync(marker).isFile()) return null;
    const value: unknown = JSON.parse(readFileSync(marker, "utf8"));
    if (typeof value !== "object" || value === null || !("runId" in value) || !("runsDir" in value)) return null;
    const { runId, runsDir } = value;
    // The folder is the agents' to write: what stands here is only ever used to look.
    return typeof runId === "string" && typeof runsDir === "string" && /^[\w.-]+$/.test(runId) ? { runId, runsDir } : null;
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

const notEmpty = (path: string): MassgenError =>
  new MassgenError("CONFIG_INVALID", `${path} is to be a workspace, but has files in it that are not a workspace's.`, {
    hint: "Name an empty folder. To let agents work on existing files, list the folder under orchestrator.context_paths.",
    exitCode: 1,
  });
