import { type ErrorCode, MassgenError, type RunStatus } from "@massgen/contracts";
import type { FinishedRun } from "./result.js";

/** The error for a run that ended without an answer. */
export function failure(finished: FinishedRun): MassgenError {
  const [code, words] = FAILURES[finished.status];
  const message = finished.message ?? words;
  const hint = finished.logDirectory === null ? "" : `The log of the run is in ${finished.logDirectory}.`;
  return new MassgenError(code, message, { exitCode: finished.exitCode === 0 ? 2 : finished.exitCode, partial: finished, hint });
}

const FAILURES: Readonly<Record<RunStatus, readonly [ErrorCode, string]>> = {
  completed: ["RUN_FAILED", "The run ended without an answer."],
  tool_calls: ["RUN_FAILED", "The run ended without an answer."],
  partial: ["RUN_FAILED", "The run ended without an answer."],
  error: ["RUN_FAILED", "No agent produced an answer."],
  timeout: ["RUN_TIMEOUT", "The time limit was reached before there was an answer."],
  cancelled: ["RUN_CANCELLED", "The run was cancelled before there was an answer."],
  budget: ["RUN_BUDGET", "The budget was used up before there was an answer."],
};
