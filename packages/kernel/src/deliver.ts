import type { CoordinationEvent, RunStatus } from "@massgen/contracts";
import { brokenStage } from "./modes/sequential.js";
import type { RunState } from "./state.js";

/** The end of a run whose final answer is there; `isHalf`: all of it that there is, is what was said before it broke off. */
export function endDelivered(state: RunState, isHalf: boolean = false): readonly CoordinationEvent[] {
  const { decision, phase } = state;
  if (decision === null) return [];
  const [status, message] = endOf(state, isHalf);
  return [
    { type: "phase_changed", from: phase, to: "finished" },
    { type: "run_finished", status, winner: decision.winner, message },
  ];
}

function endOf(state: RunState, isHalf: boolean): readonly [RunStatus, string | null] {
  if (state.cancelled) return ["cancelled", "The run was cancelled; the winner had been decided, its stored answer is final."];
  if (state.orchestratorTimeout) return ["timeout", "The orchestrator's time limit passed; the best answer so far is final."];
  if (state.spending.isUsedUp) return ["budget", "The budget is used up; the best answer so far is final."];
  if (isHalf) return ["partial", "The answer broke off; what there was of it is final."];
  if (state.answers.find((answer) => answer.label === state.decision?.label)?.salvaged === true)
    return ["partial", "Every agent failed; the last text of one of them was kept as the answer."];
  const broken = state.mode === "sequential" ? brokenStage(state) : undefined;
  if (broken === undefined) return ["completed", null];
  const stage = state.order.indexOf(broken.card.id) + 1;
  return ["partial", `Stage ${stage} (${broken.card.id}) delivered nothing; the answer of stage ${stage - 1} is final.`];
}

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
