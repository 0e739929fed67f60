import type { AnonId } from "@massgen/contracts";
import { escapeBlocks } from "./escape-blocks.js";

/** How the votes fell before they were cleared; who cast them stays unknown. */
export interface ReopenedView {
  readonly as: "debate" | "stagnation";
  readonly received: readonly { readonly from: AnonId; readonly votes: number; readonly reasons: readonly string[] }[];
  /** The answer to beat. */
  readonly leading: AnonId | null;
}

/**
 * Purpose: what a round is about that begins because votes were cleared: in a debate, to settle by evidence what the team
 * disagrees on; after stagnation, to take another route.
 */
export function reopened(view: ReopenedView): string {
  const blocks = view.received.map(({ from, votes, reasons }) => {
    const given = reasons.filter((reason) => reason.trim() !== "").map((reason) => `<vote_reason>${escapeBlocks(reason)}</vote_reason>\n`);
    return `<votes for="${from}" count="${votes}">\n${given.join("")}</votes>`;
  });
  const fell = blocks.length === 0 ? "" : `\n\nHow the votes fell, without names:\n${blocks.join("\n")}`;
  return view.as === "debate" ? debate(fell) : stagnation(fell, view.leading);
}

const debate = (fell: string): string =>
  `Everybody voted, but too few agree, so all votes are void and the answers stand.${fell}

Settle the disagreement by evidence: check what the reasons claim, and find where the answers really differ. Then improve an answer so that it holds against every objection, or vote again, for whichever answer the evidence is on the side of.`;

const stagnation = (fell: string, leading: AnonId | null): string =>
  `The last rounds brought nothing new, so everybody starts afresh; all votes are void and the answers stand.${leading === null ? "" : ` The answer to beat is that of ${leading}.`}${fell}

Do not polish what is there. Ask what all answers have in common and what none of them has tried, take the objections above seriously, and go another route: another method, another source, another structure. If that leads to nothing better, vote.`;
