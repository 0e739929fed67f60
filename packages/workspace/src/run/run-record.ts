import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MassgenError, type RunId } from "@massgen/contracts";
import { isAbsent } from "../disk.js";
import { type Life, lifeOf, ownIdentity, type ProcessIdentity } from "./process-identity.js";

/** Folders a run made, all absolute. A folder is recorded before it is made, so that a crash leaves none that nobody knows. */
interface OwnedFolders {
  /** Useless once the run is over: views of peers, homes of child processes, staged copies. */
  readonly passing: readonly string[];
  /** Kept for a while: workspaces and snapshots. */
  readonly lasting: readonly string[];
}

/** `runs/<runId>.json`: what the next run may clean up when this one has died. */
export interface RunRecord {
  readonly schema: 1;
  readonly runId: RunId;
  readonly process: ProcessIdentity;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `null` while it runs, and for ever when it died. */
  readonly endedAt: number | null;
  readonly folders: OwnedFolders;
}

export interface OwnRecord {
  /** Before they are made. */
  own(folders: Partial<OwnedFolders>): void;
  owned(): OwnedFolders;
  /** Says that the process is still there; for those who cannot see it. */
  beat(): void;
  end(now: number): void;
}

/** A process nobody can look at is taken for dead when it has not said a word for so long. */
const SILENT_MS = 5 * 60_000;

/** @throws MassgenError `RUN_BUSY` when a living process plays this run */
export function openRecord(runsDir: string, runId: RunId, now: number): OwnRecord {
  const file = join(runsDir, `${runId}.json`);
  const before = readRecord(file);
  if (before !== null && before.endedAt === null && isRunning(file, before, now) && !isOwn(before))
    throw new MassgenError("RUN_BUSY", `Run ${runId} is being played by process ${before.process.pid} on ${before.process.host}.`, {
      hint: "Wait for it to end.",
    });
  let record: RunRecord = {
    schema: 1,
    runId,
    process: ownIdentity(),
    startedAt: now,
    endedAt: null,
    folders: before?.folders ?? { passing: [], lasting: [] },
  };
  const write = (): void => writeWhole(file, `${JSON.stringify(record, null, 2)}\n`);
  write();
  return {
    own({ passing = [], lasting = [] }) {
      const { folders } = record;
      record = {
        ...record,
        folders: { passing: [...new Set([...folders.passing, ...passing])], lasting: [...new Set([...folders.lasting, ...lasting])] },
      };
      write();
    },
    owned: () => record.folders,
    beat: () => touch(file),
    end(at) {
      record = { ...record, endedAt: at, folders: { passing: [], lasting: record.folders.lasting } };
      write();
    },
  };
}

const isOwn = ({ process: { pid, startedTicks } }: RunRecord): boolean => {
  const own = ownIdentity();
  return pid === own.pid && startedTicks === own.startedTicks;
};

/** The records of all runs of this folder; those that cannot be read are left alone. */
export function readRecords(runsDir: string): readonly { readonly file: string; readonly record: RunRecord }[] {
  return readdirSync(runsDir)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const file = join(runsDir, name);
      const record = readRecord(file);
      return record === null || `${record.runId}.json` !== name ? [] : [{ file, record }];
    });
}

/** Whether its process is there, or must be taken to be there. */
export function isRunning(file: string, record: RunRecord, now: number): boolean {
  const life: Life = lifeOf(record.process, ownIdentity());
  return life === "unknown" ? now - lastWordOf(file) < SILENT_MS : life === "alive";
}

function lastWordOf(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export const forget = (file: string): void => rmSync(file, { force: true });

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Another beat follows.
  }
}

export function readRecord(file: string): RunRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : null;
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

type Loose<T> = { readonly [Key in keyof T]?: unknown };
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";

function isRecord(value: unknown): value is RunRecord {
  if (!isObject(value)) return false;
  const { schema, runId, process: identity, startedAt, endedAt, folders }: Loose<RunRecord> = value;
  if (schema !== 1 || typeof runId !== "string" || !isNumber(startedAt) || (endedAt !== null && !isNumber(endedAt))) return false;
  if (!isObject(identity) || !isObject(folders)) return false;
  const { pid, host, space, startedTicks }: Loose<ProcessIdentity> = identity;
  const { passing, lasting }: Loose<OwnedFolders> = folders;
  return (
    isNumber(pid) && typeof host === "string" && isTextOrNull(space) && isTextOrNull(startedTicks) && isTexts(passing) && isTexts(lasting)
  );
}

/** A reader sees the old file or the new one. */
export function writeWhole(file: string, text: string): void {
  const next = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    writeFileSync(next, text, { flag: "wx", mode: 0o600 });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
