import type { AnonId } from "@massgen/contracts";
import { escapeBlocks } from "./escape-blocks.js";
import { planIsDue } from "./planning.js";

export interface PresentationView {
  readonly moment: string;
  /** The presenter's own answer. */
  readonly own: AnonId;
  /** Reasons of the votes it received; who gave them stays unknown. */
  readonly reasons: readonly string[];
  readonly votes: number;
  readonly isTie: boolean;
  /** It has tools of its own that it may use now. */
  readonly hasTools: boolean;
  /** Where the user wants the result, and only the presenter may write; absolute. */
  readonly writes: readonly string[];
  /** The team only planned; what the plan reserved may be done now. */
  readonly executesPlan: boolean;
}

/**
 * Purpose: the closing request to the winner: the deliverable itself, on the basis of its answer, with what the others
 * had and the votes as review comments. It stands at the end of the user message, so that the whole prompt of the
 * presenter's last round is repeated before it and comes from the vendor's cache.
 */
export function presentation(view: PresentationView): string {
  return `${view.moment}

The team has decided: the answer of ${view.own} was chosen. It is yours, and you now present the final result. The rounds are over.

${received(view)}

Write the final answer for the person who sent the original message:
- Deliver the result itself, complete and ready to use. No report on agents, votes or rounds.
- Your answer is the basis. Add what the other answers have and it lacks; treat the reasons of the votes as review comments.
- Keep concrete details: numbers, names, code, sources.

${view.executesPlan ? planIsDue : ""}${deliveryTo(view.writes)}${noMoreTools(view.hasTools)} Your text is the final answer, word for word.`;
}

/** Where the result belongs, and that the presenter may write there now; "" when nowhere. */
export function deliveryTo(writes: readonly string[]): string {
  if (writes.length === 0) return "";
  return `You can write to ${writes.join(", ")} now. Your workspace holds the files of your answer: put what belongs to the result there, by absolute path. What stays in your workspace is kept, but not delivered.\n\n`;
}

/** Which tools are left. */
export const noMoreTools = (hasTools: boolean, other: "vote" | "stop" = "vote"): string =>
  hasTools ? `You may still use your other tools; \`new_answer\` and \`${other}\` may not be called any more.` : "Do not call any tool.";

export function received({ votes, reasons, isTie, own }: PresentationView): string {
  const count = `It received ${votes === 1 ? "1 vote" : `${votes} votes`}${isTie ? "; it was a tie that a rule decided" : ""}.`;
  const given = reasons.filter((reason) => reason.trim() !== "").map((reason) => `<vote_reason>${escapeBlocks(reason)}</vote_reason>`);
  return given.length === 0 ? count : `${count}\n\n<votes for="${own}">\n${given.join("\n")}\n</votes>`;
}

/** Purpose: the answer to a workflow call during the presentation. */
export const decisionIsMade = (): string =>
  "Refused: the decision has been made, and there is nothing left to vote on or to submit. Write the final answer as plain text.";
