import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import type { EpochMillis } from "@massgen/contracts";
import { preview } from "@massgen/views";
import { isHeld } from "../events/lock-file.js";
import { isoTime, systemZone, type ZoneOffset } from "../local-time.js";
import { readTurns } from "./read-turn.js";
import { readRegistry, type SessionEntry } from "./registry.js";

/** Where sessions are kept, and what time it is there. */
export interface SessionPlaces {
  /** Absolute: sessions of this folder are in `.massgen/sessions` below it. */
  readonly cwd: string;
  /** Absolute: `~/.massgen/sessions.json`, the list of all sessions of a user. */
  readonly registryFile: string;
  /** Milliseconds since 1970. */
  readonly now: () => EpochMillis;
  /** Told, in words for people, what could not be read or written; nothing stops for it. */
  readonly onWarning: (message: string) => void;
  /** Default: the zone of this machine. */
  readonly zone?: ZoneOffset;
}

export const sessionsFolder = (cwd: string): string => join(cwd, ".massgen", "sessions");
export const zoneOf = ({ zone = systemZone }: SessionPlaces): ZoneOffset => zone;
export const timeOf = (places: SessionPlaces): string => isoTime(places.now(), zoneOf(places));
export const describe = (question: string): string => preview(question.replace(/\s+/gu, " ").trim(), 80, "…");

/** What says that a process has a session open. */
export const sessionLock = (folder: string): string => join(folder, "session");
/** Sessions that this process has open. */
export const openHere: Set<string> = new Set<string>();

export const isOpen = (folder: string): boolean => openHere.has(folder) || isHeld(sessionLock(folder));

/**
 * All sessions: those of the list whose folders are there, and those of this folder that the list does not know. What is
 * read in vain is told.
 */
export async function allSessions(
  places: SessionPlaces,
): Promise<{ readonly entries: readonly SessionEntry[]; readonly isDamaged: boolean }> {
  const { entries, isDamaged } = await readRegistry(places.registryFile).catch((error: unknown) => {
    places.onWarning(`The list of sessions cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    return { entries: [], isDamaged: false };
  });
  const own = sessionsFolder(places.cwd);
  /** The names in each folder, and whether the list knows them. */
  const namesByParent = new Map([[own, namesIn(own)]]);
  const there = entries.filter(({ folder }) => {
    const parent = parentOf(folder);
    let names = namesByParent.get(parent);
    if (names === undefined) {
      names = namesIn(parent);
      namesByParent.set(parent, names);
    }
    const name = folder.slice(parent.length + 1);
    return names.has(name) && names.set(name, true);
  });
  // Of a list that is whole only this folder can have more; one that was damaged is made again from all folders it names.
  const unknown = [...namesByParent].flatMap(([parent, names]) =>
    isDamaged || parent === own ? [...names].flatMap(([name, isKnown]) => (isKnown ? [] : [parent + sep + name])) : [],
  );
  const found = await Promise.all(unknown.map((folder) => entryFromFolder(folder)));
  return { entries: [...there, ...found.filter((entry) => entry !== null)], isDamaged };
}

/** Read at once: of ten thousand names that takes some milliseconds, and several times as long piece by piece. */
function namesIn(folder: string): Map<string, boolean> {
  try {
    const names = new Map<string, boolean>();
    for (const name of readdirSync(folder)) names.set(name, false);
    return names;
  } catch {
    return new Map();
  }
}

const parentOf = (folder: string): string => folder.slice(0, Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("\\")));

/** What the turns of a folder say of their session; `null` for a folder without a readable turn. */
export async function entryFromFolder(folder: string): Promise<SessionEntry | null> {
  const turns = (await readTurns(folder)).filter((turn) => turn.is === "readable");
  const first = turns[0];
  if (first === undefined) return null;
  return {
    id: folder.slice(parentOf(folder).length + 1),
    folder,
    startedAt: first.record.timestamp,
    endedAt: null,
    status: "completed",
    configPath: first.origin.configPath,
    model: first.origin.model,
    description: describe(first.record.task),
    logDirectory: first.origin.logRoot,
    turns: turns.length,
  };
}
