import { constants } from "node:fs";
import { cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { replaceFile } from "../files/replace-file.js";

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
  if (!(await exists(join(root, "index.json")))) await replaceFile(join(root, "index.json"), await firstIndex(root), true);
}

/** What `index.json` says of a run that had no need of one. */
async function firstIndex(root: string): Promise<string> {
  const status: unknown = JSON.parse(await readFile(join(root, "status.json"), "utf8").catch(() => "{}"));
  const map = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === "object" && value !== null ? { ...value } : {});
  const { finish_reason: finishReason = "cancelled", meta, results } = map(status);
  const { winner = null } = map(results);
  const first = { attempt: 1, dir: ".", finish_reason: finishReason };
  const turn = { turn: 1, attempts: [first], accepted_attempt: winner === null ? null : 1, winner };
  return `${JSON.stringify({ version: 1, run_ids: [map(meta)["run_id"]].filter((id) => typeof id === "string"), turns: [turn] }, null, 2)}\n`;
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
