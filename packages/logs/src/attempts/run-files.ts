import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunView } from "@massgen/views";
import { acceptedAttempt, finishReasonOf } from "@massgen/views";
import type { FileSink } from "../files/file-sink.js";
import { attemptFolder } from "./attempt-folders.js";

/** What stands beside the folders of the attempts, so that nobody needs to know which of them counts (docs/spec/logs.md 4.1). */
export interface RunFiles {
  status(status: object): Promise<void>;
  /** Which attempts there are, and which one's result is that of the run. */
  index(view: RunView): Promise<void>;
  /** `final/`: a copy of the accepted one. */
  final(view: RunView): Promise<void>;
}

export interface RunFilesOptions {
  readonly root: string;
  readonly sink: FileSink;
  readonly runId: string;
  onWarning(message: string): void;
}

export function createRunFiles({ root, sink, runId, onWarning }: RunFilesOptions): RunFiles {
  return {
    status: (status) => sink.json("status.json", status),
    index: (view) => sink.json("index.json", indexOf(view, runId)),

    async final(view) {
      const accepted = acceptedAttempt(view);
      if (accepted.presentationFinished === null) return;
      const from = join(root, attemptFolder(accepted.state.attempt), "final");
      const to = join(root, "final");
      try {
        await rm(to, { recursive: true, force: true });
        await cp(from, to, { recursive: true, verbatimSymlinks: true });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        onWarning(`${to} cannot be written (${reason}). The final answer is in ${from}.`);
      }
    },
  };
}

function indexOf(view: RunView, runId: string): object {
  const accepted = acceptedAttempt(view);
  const isDecided = accepted.presentationFinished !== null && view.finished !== null;
  return {
    version: 1,
    run_ids: [runId],
    turns: [
      {
        turn: 1,
        attempts: [...view.pastAttempts, view].map(attemptOf),
        accepted_attempt: isDecided ? accepted.state.attempt : null,
        winner: view.finished?.winner ?? null,
      },
    ],
  };
}

/** An attempt that was followed by another one came to a result; it was not good enough. */
const attemptOf = ({ state, finished, presentationFinished }: RunView): object => ({
  attempt: state.attempt,
  dir: attemptFolder(state.attempt),
  finish_reason: finished !== null ? finishReasonOf(finished.status) : presentationFinished !== null ? "completed" : "in_progress",
});
