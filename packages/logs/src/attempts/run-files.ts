import { cp, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { RunView } from "@massgen/views";
import { acceptedAttempt, finishReasonOf } from "@massgen/views";
import type { FileSink } from "../files/file-sink.js";
import type { TurnPlace } from "./turn-folders.js";

/** What stands beside the folders of turns and attempts, so that nobody needs to know which of them counts (docs/spec/logs.md 4.1). */
export interface RunFiles {
  status(status: object): Promise<void>;
  /** Which turns and attempts there are, and which one's result is that of the run. */
  index(view: RunView): Promise<void>;
  /** `final/`: a copy of the accepted one. */
  final(view: RunView): Promise<void>;
}

export interface RunFilesOptions {
  readonly place: TurnPlace;
  /** Of the root. */
  readonly sink: FileSink;
  readonly runId: string;
  /** The folder of an attempt. */
  readonly leafOf: (attempt: number) => string;
  onWarning(message: string): void;
}

export function createRunFiles({ place, sink, runId, leafOf, onWarning }: RunFilesOptions): RunFiles {
  const { root, base } = place;
  const turn = place.turn ?? 1;
  let earlier: Promise<Index> | null = null;

  async function copy(from: string, to: string): Promise<void> {
    if (from === to) return;
    try {
      await rm(to, { recursive: true, force: true });
      await cp(from, to, { recursive: true, verbatimSymlinks: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onWarning(`${to} cannot be written (${reason}). The final answer is in ${from}.`);
    }
  }

  return {
    status: (status) => sink.json("status.json", status),

    async index(view) {
      earlier ??= readIndex(join(root, "index.json"));
      const { run_ids, turns } = await earlier;
      const dirOf = (attempt: number): string => relative(root, leafOf(attempt)).replaceAll("\\", "/") || ".";
      await sink.json("index.json", {
        version: 1,
        run_ids: [...run_ids.filter((id) => id !== runId), runId],
        turns: [...turns.filter((one) => one.turn !== turn), turnOf(view, turn, dirOf)],
      });
    },

    async final(view) {
      const accepted = acceptedAttempt(view);
      // A turn without a result leaves that of the turn before where it is looked for.
      if (accepted.presentationFinished === null) return;
      const from = join(leafOf(accepted.state.attempt), "final");
      await copy(from, join(base, "final"));
      if (base !== root) await copy(from, join(root, "final"));
    },
  };
}

interface Index {
  readonly run_ids: readonly string[];
  readonly turns: readonly { readonly turn: number }[];
}

/** What earlier turns wrote; a damaged file is begun anew, as the folders of the turns say the same. */
async function readIndex(file: string): Promise<Index> {
  try {
    const { run_ids, turns } = JSON.parse(await readFile(file, "utf8")) as Partial<Index>;
    return { run_ids: Array.isArray(run_ids) ? run_ids : [], turns: Array.isArray(turns) ? turns : [] };
  } catch {
    return { run_ids: [], turns: [] };
  }
}

function turnOf(view: RunView, turn: number, dirOf: (attempt: number) => string): object {
  const accepted = acceptedAttempt(view);
  const isDecided = accepted.presentationFinished !== null && view.finished !== null;
  return {
    turn,
    attempts: [...view.pastAttempts, view].map((one) => attemptOf(one, dirOf)),
    accepted_attempt: isDecided ? accepted.state.attempt : null,
    winner: view.finished?.winner ?? null,
  };
}

/** An attempt that was followed by another one came to a result; it was not good enough. */
const attemptOf = ({ state, finished, presentationFinished }: RunView, dirOf: (attempt: number) => string): object => ({
  attempt: state.attempt,
  dir: dirOf(state.attempt),
  finish_reason: finished !== null ? finishReasonOf(finished.status) : presentationFinished !== null ? "completed" : "in_progress",
});
