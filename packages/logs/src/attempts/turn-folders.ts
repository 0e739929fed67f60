import { constants } from "node:fs";
import { cp, mkdir, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

const TURN = /^turn_([1-9]\d*)$/;

export const turnFolder = (turn: number): string => `turn_${turn}`;

/** Where the log of a turn is, below the root of its conversation. */
export interface TurnPlace {
  readonly root: string;
  /** The folder of the turn; the root itself for a run that has it for itself. */
  readonly base: string;
  /** `null` for a run that is no turn of a conversation. */
  readonly turn: number | null;
}

/** The place a folder is; a folder that is called like one of a turn is one, when it stands where turns do. */
export async function placeOf(folder: string): Promise<TurnPlace> {
  const base = resolve(folder);
  const turn = Number(TURN.exec(basename(base))?.[1] ?? 0);
  const root = dirname(base);
  return turn > 0 && (await exists(join(root, "index.json"))) ? { root, base, turn } : { root: base, base, turn: null };
}

/** The folder of the newest turn below a root; the root itself when it has none. */
export async function newestTurnIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const turns = names.flatMap((name) => Number(TURN.exec(name)?.[1] ?? []));
  const began = await Promise.all(turns.map((turn) => hasBegun(join(folder, turnFolder(turn)))));
  const newest = Math.max(0, ...turns.filter((_, index) => began[index]));
  return newest === 0 ? folder : join(folder, turnFolder(newest));
}

/** What a first turn without a folder of its own leaves in the folder of a turn is no log of one. */
export const hasBegun = async (folder: string): Promise<boolean> =>
  (await exists(join(folder, "execution_metadata.yaml"))) || exists(join(folder, "attempt_1"));

/**
 * A run that had its root for itself becomes the first turn of a conversation: its log stays where it is, and what the root
 * shows of the newest turn from now on is kept for it in `turn_1/`.
 */
export async function keepFirstTurn(root: string): Promise<void> {
  const folder = join(root, turnFolder(1));
  if (await exists(folder)) return;
  await mkdir(folder);
  const options = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE } as const;
  for (const name of ["status.json", "final"]) if (await exists(join(root, name))) await cp(join(root, name), join(folder, name), options);
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
