import { standing, wasAskedToVote } from "./rule-text.js";
import type { RunView } from "./run-view.js";

/**
 * What the smallest change of the vote would have done, in one sentence; `null` where votes did not decide.
 * Arithmetic on the tally only: a switched vote takes one from the first and gives one to the second.
 */
export function counterfactual(view: RunView): string | null {
  if (view.decision === null) return null;
  const { fact, live } = view.decision;
  if (fact.selection === "latest_answer" && view.answers.length > 1 && wasAskedToVote(view))
    return "One counted vote for any other answer would have decided for that answer.";
  if (fact.selection !== "votes" && fact.selection !== "previous_epoch") return null;
  const [first, second] = standing(fact);
  if (first === undefined) return null;
  if (view.answers.length < 2) return "There was no other answer to vote for.";
  if (!votesWeighTheSame(view)) return null;
  if (fact.isTie) return "One vote more for any other of the tied answers would have decided for it.";
  const lead = Math.round(first.weight - (second?.weight ?? 0));
  const rival = second?.label ?? "another answer";
  const winner = second?.label ?? "that answer";
  if (lead === 1)
    return `If one voter for ${first.label} had chosen ${rival} instead, ${winner} would have won.${lastVote(view, live.length)}`;
  if (lead === 2) return `If one voter for ${first.label} had chosen ${rival} instead, it would have been a tie.`;
  return `${Math.floor(lead / 2) + 1} voters for ${first.label} would have had to choose ${rival} instead for another result.`;
}

/** With different weights counting heads says nothing. */
const votesWeighTheSame = (view: RunView): boolean =>
  view.ballots.every((ballot) => ballot.weight === 1 || view.decision?.counted.includes(ballot.seq) === false);

/** An agent that could have voted and did not might have made it a tie. */
function lastVote(view: RunView, live: number): string {
  const missing = live - (view.decision?.counted.length ?? 0);
  return missing <= 0
    ? ""
    : missing === 1
      ? " One live agent cast no vote that counted."
      : ` ${missing} live agents cast no vote that counted.`;
}
