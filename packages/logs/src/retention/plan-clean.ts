import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { logNames, readLogEntry } from "../catalogue/list-logs.js";
import { isLogInUse } from "../catalogue/log-in-use.js";
import { allSessions, isOpen, type SessionPlaces, sessionsFolder } from "../sessions/places.js";
import { runsProcess } from "./runs-process.js";

/** What goes or stays together: a log, and the conversation it is the record of, if it is one. */
export interface Keepsake {
  /** Name of the log, or of the session where there is no log any more. */
  readonly name: string;
  readonly question: string | null;
  /** Absolute; `null` when only the session is left. */
  readonly log: string | null;
  /** Absolute; `null` for a run that belongs to no conversation. */
  readonly session: string | null;
  readonly bytes: number;
  /** When anything in it was last changed, milliseconds since 1970. */
  readonly lastUsedAt: number;
  readonly inUse: boolean;
}

export interface CleanPlan {
  readonly removed: readonly Keepsake[];
  readonly kept: readonly Keepsake[];
  /** Bytes of both. */
  readonly bytes: number;
  readonly removedBytes: number;
}

export interface CleanOptions {
  /** Folder of all logs, absolute. */
  readonly base: string;
  readonly places: SessionPlaces;
  /** What was not changed for so long goes; `null`: age alone removes nothing. */
  readonly olderThanMs: number | null;
  /** The oldest go until the rest takes no more; `null`: size removes nothing. */
  readonly maxBytes: number | null;
}

/** Whatever changed so lately may be about to be used: a run writes its folder before it takes the right to write its log. */
const GRACE_MS = 10 * 60_000;

/** What a clean would remove, oldest first. Nothing that is in use or was changed in the last ten minutes. Writes nothing. */
export async function planClean(options: CleanOptions): Promise<CleanPlan> {
  const { olderThanMs, maxBytes, places } = options;
  const now = places.now();
  const all = (await keepsakesOf(options)).toSorted((a, b) => a.lastUsedAt - b.lastUsedAt);
  const bytes = sum(all);
  const mayGo = ({ inUse, lastUsedAt }: Keepsake): boolean => !inUse && now - lastUsedAt >= GRACE_MS;
  const removed = new Set(all.filter((one) => mayGo(one) && olderThanMs !== null && now - one.lastUsedAt >= olderThanMs));
  let left = bytes - sum([...removed]);
  for (const one of all) {
    if (maxBytes === null || left <= maxBytes) break;
    if (removed.has(one) || !mayGo(one)) continue;
    removed.add(one);
    left -= one.bytes;
  }
  return {
    removed: all.filter((one) => removed.has(one)),
    kept: all.filter((one) => !removed.has(one)),
    bytes,
    removedBytes: bytes - left,
  };
}

const sum = (all: readonly Keepsake[]): number => all.reduce((total, { bytes }) => total + bytes, 0);

/** Every log of the folder and every session of this folder, those that belong together as one. */
async function keepsakesOf({ base, places }: CleanOptions): Promise<readonly Keepsake[]> {
  const { entries } = await allSessions(places);
  const own = `${sessionsFolder(places.cwd)}/`;
  const sessions = entries.filter(({ folder }) => folder.replaceAll("\\", "/").startsWith(own.replaceAll("\\", "/")));
  const roots = (await logNames(base)).map((name) => join(base, name));
  // A log may be named by several sessions of the list; it is in use when one of them is.
  const sessionOf = new Map(
    sessions.map((session) => [session.logDirectory === null ? "" : resolve(session.logDirectory), session] as const),
  );
  const logs: Keepsake[] = [];
  for (const root of roots) {
    const session = sessionOf.get(root);
    const entry = await readLogEntry(root);
    const [log, talk] = [await extentOf(root), session === undefined ? NOTHING : await extentOf(session.folder)];
    const inUse =
      (await isLogInUse(root)) || (entry.state === "interrupted" && (await runsProcess(root))) || isOpenSession(session, entries, root);
    logs.push({
      name: entry.name,
      question: entry.question,
      log: root,
      session: session?.folder ?? null,
      bytes: log.bytes + talk.bytes,
      lastUsedAt: Math.max(log.changedAt, talk.changedAt),
      inUse,
    });
  }
  const known = new Set(roots);
  const alone: Keepsake[] = [];
  for (const session of sessions) {
    if (session.logDirectory !== null && known.has(resolve(session.logDirectory))) continue;
    const { bytes, changedAt } = await extentOf(session.folder);
    alone.push({
      name: session.id,
      question: session.description,
      log: null,
      session: session.folder,
      bytes,
      lastUsedAt: changedAt,
      inUse: isOpen(session.folder),
    });
  }
  return [...logs, ...alone];
}

/** Also sessions of other folders whose record this log is keep it. */
const isOpenSession = (
  own: { readonly folder: string } | undefined,
  all: Awaited<ReturnType<typeof allSessions>>["entries"],
  root: string,
): boolean =>
  all.some(
    (session) =>
      session.logDirectory !== null && resolve(session.logDirectory) === root && (session.folder !== own?.folder || isOpen(session.folder)),
  );

interface Extent {
  readonly bytes: number;
  readonly changedAt: number;
}

const NOTHING: Extent = { bytes: 0, changedAt: 0 };

/** Links count as themselves and are never followed. */
async function extentOf(path: string): Promise<Extent> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null) return NOTHING;
  if (!stat.isDirectory()) return { bytes: stat.size, changedAt: stat.mtimeMs };
  let [bytes, changedAt] = [0, stat.mtimeMs];
  for (const name of await readdir(path).catch(() => [])) {
    const one = await extentOf(join(path, name));
    bytes += one.bytes;
    changedAt = Math.max(changedAt, one.changedAt);
  }
  return { bytes, changedAt };
}
