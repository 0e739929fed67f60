import { allSessions, isOpen, type SessionPlaces } from "./places.js";
import { changeRegistry, type SessionEntry } from "./registry.js";

/** `interrupted`: its process ended without closing it. */
export type ListedSession = Omit<SessionEntry, "status"> & { readonly status: SessionEntry["status"] | "interrupted" };

export interface SessionList {
  /** Newest first, at most `limit`. */
  readonly sessions: readonly ListedSession[];
  readonly total: number;
}

/** The sessions of this user, in this folder and elsewhere. A list that is damaged is made again from what is there. */
export async function listSessions(places: SessionPlaces, limit: number = Number.POSITIVE_INFINITY): Promise<SessionList> {
  const { entries, isDamaged } = await allSessions(places);
  if (isDamaged) await mend(places, entries);
  const sessions = newestFirst(entries, limit).map(
    (entry): ListedSession => (entry.status === "active" && !isOpen(entry.folder) ? { ...entry, status: "interrupted" } : entry),
  );
  return { sessions, total: entries.length };
}

/** By the moment, whatever zone it was written in; of the same second the one with the later number. */
export function newestFirst(entries: readonly SessionEntry[], limit: number = entries.length): readonly SessionEntry[] {
  const times = Float64Array.from(entries, ({ startedAt }) => Date.parse(startedAt) || 0);
  // Few of many: only what is as new as the oldest of them has to be put in order.
  const oldest = limit < times.length ? times.toSorted()[times.length - limit]! : Number.NEGATIVE_INFINITY;
  return entries
    .flatMap((entry, place) => (times[place]! >= oldest ? [{ entry, at: times[place]! }] : []))
    .sort((a, b) => b.at - a.at || b.entry.id.localeCompare(a.entry.id, "en", { numeric: true }))
    .slice(0, limit)
    .map(({ entry }) => entry);
}

async function mend(places: SessionPlaces, entries: readonly SessionEntry[]): Promise<void> {
  try {
    await changeRegistry(places.registryFile, () => ({ put: entries }), places.onWarning);
  } catch (error) {
    places.onWarning(`The list of sessions cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
