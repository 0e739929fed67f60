import type { CoordinationEvent } from "@massgen/contracts";
import { endDelivered, endWithEarlierAttempt } from "./deliver.js";
import { evolve } from "./evolve.js";
import { agentsOf } from "./inspect.js";
import type { Policy } from "./policy.js";
import { finishPresentation } from "./present.js";
import type { Signal } from "./signal.js";
import type { RunState } from "./state.js";

/** Ends the run in order from any phase. A winner that was already decided keeps its stored answer as the final one. */
export function judgeCancel(
  state: RunState,
  signal: Extract<Signal, { type: "cancel_requested" }>,
  policy: Policy,
): readonly CoordinationEvent[] {
  if (state.phase === "idle" || state.phase === "finished") return [];
  const running = agentsOf(state).filter((agent) => agent.standing === "streaming");
  const stop: readonly CoordinationEvent[] = [
    { type: "cancelled", phase: state.phase, reason: signal.reason },
    ...running.map((agent) => ({ type: "agent_cancelled", agent: agent.card.id, reason: "cancelled" }) as const),
  ];
  const stopped = stop.reduce(evolve, state);
  const presenter = state.decision?.winner ?? "";
  const partial = Object.hasOwn(signal.texts, presenter) ? (signal.texts[presenter] ?? "") : "";
  const delivered = finishPresentation(stopped, null, "skipped", partial, policy);
  if (delivered.length > 0) return [...stop, ...delivered];
  if (stopped.finalAnswer !== null) return [...stop, ...endDelivered(stopped)];
  const earlier = endWithEarlierAttempt(stopped, "the run was cancelled");
  if (earlier !== null) return [...stop, ...earlier];
  return [
    ...stop,
    { type: "phase_changed", from: state.phase, to: "finished" },
    { type: "run_finished", status: "cancelled", winner: null, message: "The run was cancelled before a winner was decided." },
  ];
}
