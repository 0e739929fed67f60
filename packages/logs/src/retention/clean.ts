import { randomBytes } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { eventFilesIn } from "../attempts/attempt-folders.js";
import { isLogInUse } from "../catalogue/log-in-use.js";
import { turnFolders } from "../catalogue/turn-folders.js";
import { type Lock, takeLock } from "../events/lock-file.js";
import { isOpen, type SessionPlaces, sessionLock, sessionsFolder } from "../sessions/places.js";
import { changeRegistry } from "../sessions/registry.js";
import type { Keepsake } from "./plan-clean.js";

/** Folders that are being removed carry this in front; whoever finds one finishes the work. */
const GOING = ".removing-";

export interface Cleaned {
  readonly removed: readonly Keepsake[];
  /** What came into use since it was planned, or could not be removed, with why. */
  readonly left: readonly { readonly keepsake: Keepsake; readonly reason: string }[];
}

/**
 * Removes what was planned, one after the other: the session from the list and from the disk, then its log. Each is moved
 * aside under its lock first, so that nobody can begin to use it, and a kill at any moment leaves it whole, or gone.
 */
export async function clean(
  planned: readonly Keepsake[],
  { base, places }: { readonly base: string; readonly places: SessionPlaces },
): Promise<Cleaned> {
  for (const folder of [base, dirname(sessionsFolder(places.cwd))]) await finishRemovals(folder);
  const removed: Keepsake[] = [];
  const left: { readonly keepsake: Keepsake; readonly reason: string }[] = [];
  for (const keepsake of planned) {
    try {
      await removeOne(keepsake, places);
      removed.push(keepsake);
    } catch (error) {
      const isTaken = MassgenError.is(error, "STORE_CONFLICT");
      left.push({ keepsake, reason: isTaken ? "it is in use" : error instanceof Error ? error.message : String(error) });
    }
  }
  return { removed, left };
}

async function removeOne({ log, session }: Keepsake, places: SessionPlaces): Promise<void> {
  const locks: Lock[] = [];
  try {
    if (log !== null) locks.push(...(await lockLog(log)));
    if (session !== null) {
      if (isOpen(session)) throw inUse(session);
      locks.push(takeLock(sessionLock(session)));
      await changeRegistry(places.registryFile, () => ({ remove: session }), places.onWarning);
      // Not beside the other sessions, where a kill would leave something that looks like one.
      await moveAndRemove(session, dirname(dirname(session)));
    }
    if (log !== null) await moveAndRemove(log, dirname(log));
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** The right to write every part of a log. @throws MassgenError `STORE_CONFLICT` */
async function lockLog(root: string): Promise<readonly Lock[]> {
  if (await isLogInUse(root)) throw inUse(root);
  const locks: Lock[] = [];
  try {
    for (const { folder } of await turnFolders(root)) for (const file of await eventFilesIn(folder)) locks.push(takeLock(file));
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}

const inUse = (path: string): MassgenError => new MassgenError("STORE_CONFLICT", `${path} is in use.`);

async function moveAndRemove(folder: string, to: string): Promise<void> {
  const aside = join(to, `${GOING}${basename(folder)}-${randomBytes(4).toString("hex")}`);
  await rename(folder, aside);
  await rm(aside, { recursive: true, force: true, maxRetries: 3 });
}

/** What an earlier clean was killed over. */
async function finishRemovals(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(GOING)) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
}
