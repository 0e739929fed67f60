import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { type Lock, takeLock } from "../events/lock-file.js";
import { createRedactor, type Redactor } from "../redact/redactor.js";
import { describe, openHere, type SessionPlaces, sessionLock, timeOf, zoneOf } from "./places.js";
import { readTurn, turnFolderName } from "./read-turn.js";
import { changeRegistry, type SessionEntry } from "./registry.js";
import type { TurnEnd } from "./turn-end.js";
import type { SessionTurn } from "./turn-record.js";
import { type TurnFiles, type TurnStart, type TurnToWrite, writeStart, writeSummaries, writeTurn } from "./write-turn.js";

/** A conversation that this process has open; nobody else may go on with it until it is closed. */
export interface Session {
  readonly id: string;
  /** Absolute. */
  readonly folder: string;
  /** What was there when it was opened and could not be used, a sentence each. */
  readonly notes: readonly string[];
  /** A turn is there that cannot be read. */
  readonly hasDamage: boolean;
  readonly configPath: string | null;
  readonly model: string | null;
  /** Absolute: the folder that the logs of all turns are in; `null` before the first turn and without logs. */
  readonly logRoot: string | null;
  /** All turns that can be read, oldest first. */
  turns(): readonly SessionTurn[];
  /** Takes the number of the next turn. A number is never given twice, whatever becomes of its turn. */
  reserve(): Promise<number>;
  /** Begins the next turn, or the one whose number was taken: its beginning is on the disk when this resolves. */
  begin(start: TurnStart, redactor?: Redactor, reserved?: number): Promise<OpenTurn>;
  /** Lets it go. One without any turn is removed. Never rejects, and may be called twice. */
  close(): Promise<void>;
}

export interface OpenTurn {
  readonly turn: number;
  /**
   * What came of it, on the disk when this resolves.
   *
   * @throws MassgenError `STORE_FAILED` when the disk does not take it; older turns are as they were
   */
  finish(end: TurnEnd, files?: TurnFiles): Promise<SessionTurn>;
}

export interface SessionParts {
  readonly places: SessionPlaces;
  readonly entry: SessionEntry;
  readonly lock: Lock;
  readonly turns: readonly SessionTurn[];
  /** The highest number that was ever given. */
  readonly lastTurn: number;
  readonly notes: readonly string[];
  readonly hasDamage: boolean;
}

/** @throws MassgenError `STORE_CONFLICT` when it is open already, here or in another process */
export function lockSession(folder: string): Lock {
  if (openHere.has(folder)) throw inUse(folder);
  let lock: Lock;
  try {
    lock = takeLock(sessionLock(folder));
  } catch (error) {
    throw MassgenError.is(error, "STORE_CONFLICT") ? inUse(folder, error) : error;
  }
  openHere.add(folder);
  return {
    release() {
      if (openHere.delete(folder)) lock.release();
    },
  };
}

const inUse = (folder: string, cause?: unknown): MassgenError =>
  new MassgenError("STORE_CONFLICT", `The session in ${folder} is in use${cause === undefined ? "" : " by another process"}.`, {
    cause,
    hint: "One conversation goes on in one place at a time. End it there first, or begin another.",
  });

export function sessionOf({ places, lock, notes, hasDamage, ...begun }: SessionParts): Session {
  const { folder, id } = begun.entry;
  const zone = zoneOf(places);
  let { entry, turns, lastTurn } = begun;
  let isOpen = true;

  /** The list is for people; that it cannot be written is told and changes nothing else. */
  async function register(next: SessionEntry): Promise<void> {
    entry = next;
    await changeRegistry(places.registryFile, () => ({ put: [next] }), places.onWarning).catch((error: unknown) =>
      places.onWarning(`The list of sessions cannot be written: ${wordsOf(error)}. ${id} goes on without it.`),
    );
  }

  async function reserve(): Promise<number> {
    for (let turn = lastTurn + 1; ; turn++) {
      try {
        await mkdir(join(folder, turnFolderName(turn)));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
        throw error;
      }
      lastTurn = turn;
      return turn;
    }
  }

  async function finish(written: TurnToWrite): Promise<SessionTurn> {
    await writeTurn(written);
    const record = await reread(folder, written.turn);
    turns = [...turns, record];
    await writeSummaries(folder, written).catch((error: unknown) =>
      places.onWarning(`The summary of ${id} cannot be written: ${wordsOf(error)}.`),
    );
    const { logRoot } = written.start.origin;
    await register({ ...entry, turns: turns.length, logDirectory: entry.logDirectory ?? logRoot });
    return record;
  }

  return {
    id,
    folder,
    notes,
    hasDamage,
    configPath: entry.configPath,
    model: entry.model,
    get logRoot() {
      return entry.logDirectory;
    },
    turns: () => turns,
    reserve,

    async begin(start, redactor = createRedactor([]), reserved) {
      const turn = reserved ?? (await reserve());
      const place = join(folder, turnFolderName(turn));
      await writeStart(place, start, redactor);
      const description = entry.description === "" ? describe(redactor.text(start.task)) : entry.description;
      const { configPath, model, logRoot } = start.origin;
      entry = { ...entry, description, configPath, model, logDirectory: entry.logDirectory ?? logRoot };
      await register({ ...entry, status: "active", endedAt: null });
      return { turn, finish: (end, files = {}) => finish({ sessionId: id, turn, folder: place, start, end, files, redactor, zone }) };
    },

    async close() {
      if (!isOpen) return;
      isOpen = false;
      if (lastTurn > begun.lastTurn) await register({ ...entry, status: "completed", endedAt: timeOf(places) });
      lock.release();
      if (lastTurn === 0) await forget(places, folder);
    },
  };
}

/** Nothing was ever asked in it. */
async function forget(places: SessionPlaces, folder: string): Promise<void> {
  try {
    await rm(`${sessionLock(folder)}.lock`, { force: true });
    await rmdir(folder);
    await changeRegistry(places.registryFile, () => ({ remove: folder }), places.onWarning);
  } catch {
    // A folder that stays is not listed as long as it holds no turn.
  }
}

/** As whoever goes on with the session will read it. */
async function reread(folder: string, turn: number): Promise<SessionTurn> {
  const read = await readTurn(folder, turn);
  if (read.is === "readable") return read.record;
  const why = read.is === "begun" ? "it is gone" : read.why;
  throw new MassgenError("STORE_FAILED", `Turn ${turn} was saved to ${folder} and cannot be read: ${why}.`);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
