import { answerBlock } from "./answers.js";
import { type Callable, callable } from "./callable.js";
import type { NewVersion } from "./update.js";

export interface GoOnView extends Callable {
  /** Answers that this conversation has not seen, those of others and its own. */
  readonly versions: readonly NewVersion[];
}

/** Purpose: the next round of an agent that goes on in its conversation: what has changed since it acted, and what it may do. */
export function goOn({ versions, ...view }: GoOnView): string {
  const ask = `All you have done so far is kept. ${whatNow(view)} ${callable(view)}`;
  if (versions.length === 0) return `A new round begins, and the answers are those you know. ${ask}`;
  const changes = versions.map(({ label, replaces }) => `- ${replaces === null ? `${label} (new)` : `${replaces} -> ${label}`}`);
  return `A new round begins, and the answers have changed since you acted; one of them may be your own:
${changes.join("\n")}

${versions.map(answerBlock).join("\n")}

Only what is new is shown; it replaces the earlier version of the same agent. ${ask}`;
}

function whatNow({ tools }: Callable): string {
  if (tools.includes("stop"))
    return tools.includes("new_answer") ? "Decide again: go on with your part, or stop." : "There is no room for more answers: stop.";
  return tools.includes("new_answer") ? "Decide again: vote, or improve." : "The time for new answers is over: choose the best one.";
}

/** Purpose: the result of the call that ended a round, for a conversation that goes on later. */
export const roundOver = (): string => "The round is over. You will be told how the team goes on.";
