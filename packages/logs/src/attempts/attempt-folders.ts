import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { eventsFileIn } from "../events/read-decisions.js";
import { newestTurnIn } from "./turn-folders.js";

const ATTEMPT = /^attempt_([1-9]\d*)$/;

export const attemptFolder = (attempt: number): string => `attempt_${attempt}`;

/**
 * The event files of a run in their order: that of the folder itself, or one per attempt (docs/spec/logs.md 4.1). Of the
 * root of a conversation, those of its newest turn. Of the folder of one attempt, those of the attempts before it as well,
 * without which its facts say nothing. Empty when there is no log. `folder` is absolute.
 */
export async function eventFilesIn(folder: string): Promise<readonly string[]> {
  const own = ATTEMPT.exec(basename(folder))?.[1];
  if (own !== undefined) return filesOf(dirname(folder), Number(own));
  const single = eventsFileIn(folder);
  if (await isFile(single)) return [single];
  const files = await filesOf(folder, Number.POSITIVE_INFINITY);
  if (files.length > 0) return files;
  const turn = await newestTurnIn(folder);
  return turn === folder ? [] : eventFilesIn(turn);
}

async function filesOf(root: string, last: number): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => []);
  const attempts = names.flatMap((name) => Number(ATTEMPT.exec(name)?.[1] ?? [])).filter((attempt) => attempt > 0 && attempt <= last);
  const files = attempts.toSorted((a, b) => a - b).map((attempt) => eventsFileIn(join(root, attemptFolder(attempt))));
  const there = await Promise.all(files.map(isFile));
  return files.filter((_, place) => there[place]);
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
