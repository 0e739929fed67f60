import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type EpochMillis, MassgenError } from "@massgen/contracts";
import { folderStamp } from "../local-time.js";
import { healTurn } from "./heal-turn.js";
import { newestFirst } from "./list-sessions.js";
import { allSessions, entryFromFolder, type SessionPlaces, sessionsFolder, timeOf, zoneOf } from "./places.js";
import { type ReadTurn, readTurns } from "./read-turn.js";
import { changeRegistry, type SessionEntry } from "./registry.js";
import { lockSession, type Session, sessionOf } from "./session.js";
import { checkSessionId } from "./session-id.js";

/**
 * A new session, with an id that no other of this user has: the given one, else `session_YYYYMMDD_HHMMSS`, then `_2`, `_3`.
 *
 * @throws MassgenError `STORE_FAILED` when its folder cannot be made, `STORE_CONFLICT` when the given id is taken, `USAGE`
 * for a text that is no id
 */
export async function createSession(places: SessionPlaces, given: string | null = null): Promise<Session> {
  const ids = given === null ? stamped(places.now(), places) : [checkSessionId(given)];
  const base = sessionsFolder(places.cwd);
  try {
    await mkdir(base, { recursive: true });
    const startedAt = timeOf(places);
    let entry: SessionEntry | null = null;
    const take = async (entries: readonly SessionEntry[]): Promise<{ readonly put: readonly SessionEntry[] }> => {
      const folder = await firstFree(base, ids, new Set(entries.map(({ id }) => id)));
      entry = { ...blank, id: basename(folder), folder, startedAt };
      return { put: [entry] };
    };
    await changeRegistry(places.registryFile, take, places.onWarning).catch(async (error: unknown) => {
      // Without a list the folder alone makes the session; an id that is taken is taken all the same.
      if (entry === null) await take([]);
      places.onWarning(`The list of sessions cannot be written: ${wordsOf(error)}.`);
    });
    const taken = entry as SessionEntry | null;
    if (taken === null) throw new Error("no folder was made");
    return sessionOf({ places, entry: taken, lock: lockSession(taken.folder), turns: [], lastTurn: 0, notes: [], hasDamage: false });
  } catch (cause) {
    if (MassgenError.is(cause)) throw cause;
    throw new MassgenError("STORE_FAILED", `No session can be kept in ${base}: ${wordsOf(cause)}.`, { cause });
  }
}

/**
 * A session that is there, by its id: of this folder first, then of any other. Turns that cannot be read are left out and
 * told in its notes; one that ended without being written is made up from its log.
 *
 * @throws MassgenError `SESSION_NOT_FOUND` when it is not there, `STORE_FAILED` when it is damaged without a turn to go on from
 * (exit code 1 both), `STORE_CONFLICT` when it is in use
 */
export async function openSession(places: SessionPlaces, id: string): Promise<Session> {
  checkSessionId(id);
  const { entries } = await allSessions(places);
  const own = join(sessionsFolder(places.cwd), id);
  const known = entries.find(({ folder }) => folder === own) ?? entries.find((entry) => entry.id === id);
  const entry = known ?? ((await readTurns(own)).length > 0 ? { ...blank, id, folder: own, startedAt: timeOf(places) } : null);
  if (entry === null) {
    const newest = newestFirst(entries)
      .slice(0, 3)
      .map((one) => one.id);
    throw new MassgenError("SESSION_NOT_FOUND", `There is no session ${id}.`, {
      exitCode: 1,
      hint:
        newest.length === 0
          ? "There are no sessions yet."
          : `The newest are: ${newest.join(", ")}. List all: massgen --list-sessions --all`,
    });
  }
  const session = await reopened(places, entry);
  if (!session.hasDamage || session.turns().some(isUsable)) return session;
  await session.close();
  throw new MassgenError("STORE_FAILED", `The session ${id} holds nothing that can be read: ${session.notes.join(" ")}`, {
    exitCode: 1,
    hint: `Nothing was removed; what there is stands in ${session.folder}.`,
  });
}

/**
 * The newest session of this folder that has a turn to go on from.
 *
 * @throws MassgenError `SESSION_NOT_FOUND` (exit code 1) when there is none, `STORE_CONFLICT` when it is in use
 */
export async function openNewestSession(places: SessionPlaces): Promise<Session> {
  const { entries } = await allSessions(places);
  const own = sessionsFolder(places.cwd);
  const here = newestFirst(entries.filter(({ folder, id }) => folder === join(own, id)));
  const empty: string[] = [];
  for (const entry of here) {
    const session = await reopened(places, entry);
    if (session.turns().some(isUsable)) return session;
    empty.push(entry.id);
    await session.close();
  }
  const why =
    empty.length === 0 ? "" : ` ${empty.slice(0, 3).join(", ")} ${empty.length === 1 ? "holds" : "hold"} nothing that can be read.`;
  throw new MassgenError("SESSION_NOT_FOUND", `There is no session to go on with in ${own}.${why}`, {
    exitCode: 1,
    hint: "Begin one with a question, or name another: massgen --list-sessions",
  });
}

/** Something to go on from: a result, or what there was when it was cut off. */
export const isUsable = (turn: { readonly answer: string | null; readonly partial: readonly unknown[] }): boolean =>
  turn.answer !== null || turn.partial.length > 0;

async function reopened(places: SessionPlaces, entry: SessionEntry): Promise<Session> {
  const lock = lockSession(entry.folder);
  try {
    const found = await readTurns(entry.folder);
    const read = await Promise.all(found.map((turn) => healTurn(entry, turn, zoneOf(places))));
    const readable = read.filter((turn) => turn.is === "readable");
    const told = (await entryFromFolder(entry.folder)) ?? entry;
    return sessionOf({
      places,
      entry: {
        ...entry,
        description: entry.description || told.description,
        configPath: entry.configPath ?? told.configPath,
        model: entry.model ?? told.model,
        logDirectory: entry.logDirectory ?? told.logDirectory,
        turns: readable.length,
      },
      lock,
      turns: readable.map(({ record }) => record),
      lastTurn: found.at(-1)?.turn ?? 0,
      notes: read.flatMap(noteOf),
      hasDamage: read.some((turn) => turn.is === "unreadable"),
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function noteOf(read: ReadTurn): readonly string[] {
  if (read.is === "begun") return [`Turn ${read.turn} was cut off before it had a result; it is left out.`];
  if (read.is === "unreadable") return [`Turn ${read.turn} could not be read and is left out: ${read.why}.`];
  return read.is !== "readable" || isUsable(read.record) ? [] : [`Turn ${read.turn} left nothing; it is left out.`];
}

const blank: Omit<SessionEntry, "id" | "folder" | "startedAt"> = {
  endedAt: null,
  status: "active",
  configPath: null,
  model: null,
  description: "",
  logDirectory: null,
  turns: 0,
};

/** Ids by the second, numbered from the second of a second on. */
function* stamped(at: EpochMillis, places: SessionPlaces): Generator<string> {
  const id = `session_${folderStamp(at, zoneOf(places)).slice(0, 15)}`;
  yield id;
  for (let number = 2; ; number++) yield `${id}_${number}`;
}

async function firstFree(base: string, ids: Iterable<string>, taken: ReadonlySet<string>): Promise<string> {
  for (const id of ids) {
    if (taken.has(id)) continue;
    try {
      await mkdir(join(base, id));
      return join(base, id);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
  throw new MassgenError("STORE_CONFLICT", "A session with this id is there already.", { hint: "Choose another id." });
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
