import type { AnswerLabel } from "@massgen/contracts";
import { answerAt, currentAnswers } from "./inspect.js";
import type { Policy } from "./policy.js";
import type { Answer, RunState } from "./state.js";

/**
 * The current answers that may win: all, or with `verifyRequired` those that passed the user's check, as long as one did
 * (docs/spec/coordination.md 7 W21). Where nothing passed, agreement is all there is.
 */
function eligibleAnswers(state: RunState, policy: Pick<Policy, "verifyRequired">): readonly Answer[] {
  const current = currentAnswers(state);
  if (!policy.verifyRequired) return current;
  const passed = current.filter(({ verification }) => verification?.passed === true);
  return passed.length === 0 ? current : passed;
}

/**
 * Whether a label is out because its check failed while that of a current answer passed. Of superseded answers too: the votes
 * of an earlier epoch, when they have to decide, name those.
 */
export const isExcluded = (state: RunState, label: AnswerLabel, policy: Pick<Policy, "verifyRequired">): boolean =>
  policy.verifyRequired &&
  currentAnswers(state).some(({ verification }) => verification?.passed === true) &&
  answerAt(state, label)?.verification?.passed !== true;

/** The newest answer that may win; `undefined` without answers. */
export function latestEligible(state: RunState, policy: Pick<Policy, "verifyRequired">): Answer | undefined {
  const eligible = eligibleAnswers(state, policy);
  return state.answers.findLast((answer) => eligible.includes(answer)) ?? state.answers.at(-1);
}
