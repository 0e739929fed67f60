import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasBegun } from "../attempts/turn-folders.js";

const TURN = /^turn_([1-9]\d*)$/;

export interface TurnFolder {
  readonly turn: number;
  /** What `readRunLog` and `decisionsIn` take: the folder with the events of the turn, or with those of its attempts. */
  readonly folder: string;
}

/**
 * The turns of a log root, oldest first; a run that belongs to no conversation is its own first turn, and stays that when a
 * conversation goes on from it.
 */
export async function turnFolders(root: string): Promise<readonly TurnFolder[]> {
  const names = await readdir(root).catch(() => []);
  const numbers = names.map((name) => Number(TURN.exec(name)?.[1] ?? 0)).filter((turn) => turn > 0);
  const turns = numbers.toSorted((a, b) => a - b).map((turn) => ({ turn, folder: join(root, `turn_${turn}`) }));
  if (turns.length > 0 && !(await hasBegun(root))) return turns;
  return [{ turn: 1, folder: root }, ...turns.filter(({ turn }) => turn > 1)];
}
