import type { AnswerLabel } from "@massgen/contracts";
import { answerBlock, type ShownAnswer } from "./answers.js";
import { type Callable, callable } from "./callable.js";

export interface NewVersion extends ShownAnswer {
  readonly label: AnswerLabel;
  /** The version this agent was shown before; `null` for an author whose first answer it is. */
  readonly replaces: AnswerLabel | null;
}
export interface UpdateView extends Callable {
  readonly versions: readonly NewVersion[];
}

/** Purpose: tells an agent in the middle of its work what others have submitted since, and that nothing of its own is lost. */
export function update(view: UpdateView): string {
  const changes = view.versions.map(({ label, replaces }) => `- ${replaces === null ? `${label} (new)` : `${replaces} -> ${label}`}`);
  return `Other agents have submitted answers while you were working:
${changes.join("\n")}

${view.versions.map(answerBlock).join("\n")}

Only what is new is shown; it replaces the earlier version of the same agent. All you have done so far is kept. ${whatNow(view)} ${callable(view)}`;
}

function whatNow({ tools }: Callable): string {
  if (tools.includes("stop")) return tools.includes("new_answer") ? "Fit your part to them, go on with it, or stop." : "Stop.";
  return tools.includes("new_answer") ? "Go on with your own line, build on these answers, or vote." : "Choose the best answer.";
}

/** Purpose: says first why a vote did not count; the update follows. */
export const staleVote = (): string =>
  "Your vote was not counted: a newer answer had arrived that you had not seen. It is no mistake of yours; look at it and decide again.";
