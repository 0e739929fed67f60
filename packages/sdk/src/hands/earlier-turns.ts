import { lstat, realpath } from "node:fs/promises";
import type { AgentWorkspace } from "@massgen/workspace";
import type { PreviousTurn } from "./previous-turn.js";

export interface EarlierTurns {
  /** Those that are there, oldest first, with links followed. */
  readonly readable: readonly PreviousTurn[];
  /** The one agents start from: the last that had a result, and only when its folder is there. */
  readonly last: PreviousTurn | null;
}

/** A turn whose folder is gone is told and left out: the conversation goes on without its files. */
export async function openEarlierTurns(turns: readonly PreviousTurn[], onWarning: (message: string) => void): Promise<EarlierTurns> {
  const readable: PreviousTurn[] = [];
  for (const one of turns.toSorted((a, b) => a.turn - b.turn)) {
    const { turn, path } = one;
    if (await isFolder(path)) readable.push({ ...one, path: await realpath(path) });
    else onWarning(`The files of turn ${turn} are not in ${path} any more; agents work without them.`);
  }
  const newest = Math.max(0, ...turns.filter(({ isCutOff }) => isCutOff !== true).map(({ turn }) => turn));
  return { readable, last: readable.find(({ turn }) => turn === newest) ?? null };
}

/** A copy of the last turn's files is what an agent begins with; what it does to it does not touch the turn. */
export async function prefillFrom(
  { last }: EarlierTurns,
  workspaces: Iterable<AgentWorkspace>,
  onWarning: (message: string) => void,
): Promise<void> {
  if (last === null) return;
  for (const workspace of workspaces) {
    try {
      await workspace.prefill(last.path);
    } catch (error) {
      onWarning(`Not all files of turn ${last.turn} could be copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
