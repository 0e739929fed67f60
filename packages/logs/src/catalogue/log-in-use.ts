import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isLocked } from "../events/lock-file.js";
import { turnFolders } from "./turn-folders.js";

/**
 * Whether a living process writes to a log: any `events.jsonl` of it, of whichever turn and attempt, is locked. Of another
 * machine nothing is known, so its lock counts.
 */
export async function isLogInUse(root: string): Promise<boolean> {
  for (const { folder } of [{ folder: root }, ...(await turnFolders(root))]) {
    if (isLocked(join(folder, "events.jsonl"))) return true;
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (/^attempt_\d+$/.test(name) && isLocked(join(folder, name, "events.jsonl"))) return true;
  }
  return false;
}
