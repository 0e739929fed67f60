import type { RunStatus } from "@massgen/contracts";

export type FinishReason = "in_progress" | "completed" | "timeout" | "cancelled" | "error" | "budget" | "waiting_for_review";
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

const OUTCOME: Readonly<Record<RunStatus, readonly [FinishReason, ExitCode]>> = {
  completed: ["completed", 0],
  partial: ["error", 2],
  timeout: ["timeout", 3],
  cancelled: ["cancelled", 4],
  budget: ["budget", 5],
  error: ["error", 2],
  tool_calls: ["completed", 0],
};

/** The `finish_reason` of files and results for a status (docs/spec/coordination.md 1.1). */
export const finishReasonOf = (status: RunStatus): FinishReason => OUTCOME[status][0];

/** What a program that ends with this status exits with. */
export const exitCodeOf = (status: RunStatus): ExitCode => OUTCOME[status][1];
