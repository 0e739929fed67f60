import type { CoordinationEvent, RunStatus } from "@massgen/contracts";
import { answerAt } from "./inspect.js";
import type { RunState } from "./state.js";

/** The end of a run whose final answer is there. */
export function endDelivered(state: RunState): readonly CoordinationEvent[] {
  const { decision, phase } = state;
  if (decision === null) return [];
  const status = statusOf(state, answerAt(state, decision.label)?.salvaged === true);
  return [
    { type: "phase_changed", from: phase, to: "finished" },
    { type: "run_finished", status, winner: decision.winner, message: MESSAGE[status] },
  ];
}

function statusOf(state: RunState, salvaged: boolean): Extract<RunStatus, "completed" | "partial" | "timeout" | "cancelled" | "budget"> {
  if (state.cancelled) return "cancelled";
  if (state.orchestratorTimeout) return "timeout";
  if (state.spending.isUsedUp) return "budget";
  return salvaged ? "partial" : "completed";
}

const MESSAGE = {
  completed: null,
  cancelled: "The run was cancelled; the winner had been decided, its stored answer is final.",
  timeout: "The orchestrator's time limit passed; the best answer so far is final.",
  budget: "The budget is used up; the best answer so far is final.",
  partial: "Every agent failed; the last text of one of them was kept as the answer.",
} as const;

/**
 * The end of an attempt that came to no answer although an earlier one had presented one: that one is the result
 * (docs/spec/coordination.md 1.18). `null` when there was none. `why` is a clause for people.
 */
export function endWithEarlierAttempt(state: RunState, why: string): readonly CoordinationEvent[] | null {
  const past = state.pastAttempt;
  if (past === null) return null;
  const { attempt, winner } = past;
  return [
    { type: "earlier_attempt_used", attempt, agent: winner, label: past.label },
    { type: "phase_changed", from: state.phase, to: "finished" },
    {
      type: "run_finished",
      status: state.cancelled ? "cancelled" : state.spending.isUsedUp ? "budget" : "partial",
      winner,
      message: `Attempt ${state.attempt} ended without an answer: ${why}. The answer that attempt ${attempt} had presented is final.`,
    },
  ];
}
