import { type Callable, callable } from "./callable.js";

export interface RoundView extends Callable {
  /** Date and time at which the run began, as one line. */
  readonly moment: string;
}

/**
 * Purpose: what is special about this round: the date, whether there is anything to vote on, what may be called. It is
 * the last part of the prompt, because it is the only one that changes although no answer did.
 */
export function roundText(view: RoundView): string {
  return `${view.moment}\n\n${situation(view)} ${callable(view)}`;
}

function situation({ tools, voteFor }: Callable): string {
  if (voteFor.length === 0)
    return "There are no answers yet, so there is nothing to vote on: this is the first round. Work out your own complete answer to the original message and submit it.";
  const all = `The answers above are all there are now (${voteFor.join(", ")}), each in full.`;
  return tools.includes("new_answer")
    ? `${all} Decide: vote, or improve.`
    : `${all} The time for new answers is over: choose the best one.`;
}
