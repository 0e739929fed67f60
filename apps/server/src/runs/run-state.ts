import type { RunState } from "@massgen/client";
import type { FinishedRun } from "@massgen/sdk";

/** How a run ended, as the API says it. */
export const stateOf = (status: FinishedRun["status"]): RunState =>
  status === "partial" ? "error" : status === "tool_calls" ? "completed" : status;
