import type { CoordinationEvent, PresentationFallback } from "@massgen/contracts";
import { beginEvaluation, isToBeJudged } from "./attempts/post-evaluation.js";
import { endDelivered } from "./deliver.js";
import { evolve } from "./evolve.js";
import { answerAt } from "./inspect.js";
import type { Policy } from "./policy.js";
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
): readonly CoordinationEvent[] {
  const { decision } = state;
  if (state.phase !== "presenting" || decision === null || state.finalAnswer !== null) return [];
  const stored = answerAt(state, decision.label);
  const presented: CoordinationEvent = {
    type: "presentation_finished",
    agent: decision.winner,
    content: content ?? stored?.content ?? "",
    fallback,
    partial,
  };
  const after = evolve(state, presented);
  return [presented, ...(isToBeJudged(after, policy) ? beginEvaluation(after) : endDelivered(after))];
}

/** The presenter's text, unless it is blank. */
export const judgePresented = (state: RunState, agent: string, content: string, policy: Policy): readonly CoordinationEvent[] => {
  if (agent !== state.decision?.winner) return [];
  const text = content.trim();
  return text === "" ? finishPresentation(state, null, "empty", content, policy) : finishPresentation(state, text, null, "", policy);
};
