import type { CoordinationEvent, PresentationFallback, SnapshotRef } from "@massgen/contracts";
import { beginEvaluation, isToBeJudged } from "./attempts/post-evaluation.js";
import { endDelivered, endWithEarlierAttempt } from "./deliver.js";
import { evolve } from "./evolve.js";
import { answerAt } from "./inspect.js";
import { joinedParts } from "./modes/decomposition.js";
import type { Policy } from "./policy.js";
import type { Signal } from "./signal.js";
import type { RunState } from "./state.js";

/**
 * Ends the presentation, and the run unless the answer is to be judged first. `content: null` reuses the stored answer of the winner, for the reason `fallback` gives;
 * `partial` is what the presenter had streamed until then.
 */
export function finishPresentation(
  state: RunState,
  content: string | null,
  fallback: PresentationFallback | null,
  partial: string,
  policy: Policy,
  snapshot: SnapshotRef | null = null,
): readonly CoordinationEvent[] {
  const { decision } = state;
  if (state.phase !== "presenting" || decision === null || state.finalAnswer !== null) return [];
  const text = content ?? storedText(state);
  const half = partial.trim();
  if (text === null && half === "") return endWithNothing(state);
  const stored = decision.label === null ? undefined : answerAt(state, decision.label);
  const presented: CoordinationEvent = {
    type: "presentation_finished",
    agent: decision.winner,
    content: text ?? half,
    snapshot: snapshot ?? stored?.snapshot ?? null,
    fallback,
    partial,
  };
  const after = evolve(state, presented);
  if (text === null) return [presented, ...endDelivered(after, true)];
  return [presented, ...(isToBeJudged(after, policy) ? beginEvaluation(after) : endDelivered(after))];
}

/** What is final when the presenter gave no text: the chosen answer, or all parts; `null` when nobody had answered. */
function storedText(state: RunState): string | null {
  if (state.decision?.label == null) return null;
  return state.mode === "decomposition" ? joinedParts(state) : (answerAt(state, state.decision.label)?.content ?? null);
}

/** Only without coordination: there is no stored answer to fall back on. */
function endWithNothing(state: RunState): readonly CoordinationEvent[] {
  const earlier = endWithEarlierAttempt(state, state.cancelled ? "it was cancelled" : "there was no text");
  if (earlier !== null) return earlier;
  const [status, message] = state.cancelled
    ? (["cancelled", "The run was cancelled before there was an answer."] as const)
    : (["error", `${state.decision?.winner} was to answer without coordination and gave no text.`] as const);
  return [
    { type: "phase_changed", from: "presenting", to: "finished" },
    { type: "run_finished", status, winner: null, message },
  ];
}

/** The presenter's text, unless it is blank. */
export const judgePresented = (
  state: RunState,
  { agent, content, snapshot }: Extract<Signal, { type: "presented" }>,
  policy: Policy,
): readonly CoordinationEvent[] => {
  if (agent !== state.decision?.winner) return [];
  const text = content.trim();
  return text === ""
    ? finishPresentation(state, null, "empty", content, policy)
    : finishPresentation(state, text, null, "", policy, snapshot);
};

/** Tools of the caller are run by the caller: its answer comes with the next question, so nothing is left to do or to judge. */
export function judgeClientTools(
  state: RunState,
  { agent, content, calls, snapshot = null }: Extract<Signal, { type: "client_tools_offered" }>,
): readonly CoordinationEvent[] {
  const { decision, phase, presentationRound } = state;
  if (phase !== "presenting" || decision === null || agent !== decision.winner || state.finalAnswer !== null || calls.length === 0)
    return [];
  return [
    { type: "client_tools_called", agent, round: presentationRound ?? 0, calls },
    { type: "presentation_finished", agent, content: content.trim(), snapshot, fallback: null, partial: "" },
    { type: "phase_changed", from: phase, to: "finished" },
    { type: "run_finished", status: "tool_calls", winner: agent, message: null },
  ];
}
