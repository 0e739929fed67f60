import { join } from "node:path";
import type { AgentId } from "@massgen/contracts";
import type { Outcome } from "@massgen/core";
import { type RunView, resultReport } from "@massgen/views";
import type { FinishedRun } from "./result.js";

/** Where the files of a run are. */
export interface RunFiles {
  /** Root and leaf are the same for a run of one turn and one attempt. */
  readonly root: string;
  readonly answerPaths: ReadonlyMap<string, string>;
  readonly finalDirectoryOf: (agent: AgentId) => string;
}

/** The result of the library call, from the facts and from where they were written. */
export function finishedRun(view: RunView, outcome: Outcome, files: RunFiles | null, durationMs: number, runId: string): FinishedRun {
  const report = resultReport(view);
  const hasFinal = outcome.finalAnswer !== null && outcome.winner !== null && files !== null;
  return {
    ...report,
    status: outcome.status,
    finalAnswer: outcome.finalAnswer,
    winner: outcome.winner,
    winnerLabel: outcome.winnerLabel,
    answers: report.answers.map((answer) => ({ ...answer, path: files?.answerPaths.get(answer.label) ?? null })),
    logDirectory: files?.root ?? null,
    finalDirectory: hasFinal ? join(files.root, "final") : null,
    finalAnswerPath: hasFinal ? join(files.finalDirectoryOf(outcome.winner ?? ""), "answer.txt") : null,
    attempts: 1,
    timedOut: outcome.status === "timeout",
    exitCode: outcome.exitCode,
    sessionId: runId,
    durationMs,
    message: outcome.message,
  };
}
