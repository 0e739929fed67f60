import type { AnswerLabel, TieBreak } from "@massgen/contracts";
import { nameOf, type RunView } from "./run-view.js";
import { countedBallots } from "./vote-report.js";

/** One sentence naming the rule that decided; `null` before the decision. */
export function ruleText(view: RunView): string | null {
  if (view.decision === null) return null;
  const { fact, live } = view.decision;
  const label = fact.label;
  switch (fact.selection) {
    case "single":
      return `There was one agent; its newest answer, ${label}, is the result.`;
    case "latest_answer":
      return view.answers.length === 1
        ? `No vote counted, and ${label} was the only answer.`
        : `No vote counted, so the newest answer, ${label}, was taken: it was written with knowledge of the earlier ones.`;
    case "previous_epoch":
      return `Time was up and no vote of the last epoch counted, so the votes of the newest epoch that had any decided for ${label}.`;
    case "presenter":
      return `The configured presenter delivers the result, on the basis of ${label}.`;
    case "skipped":
      return `Coordination was skipped; the first agent presents, on the basis of ${label}.`;
    case "votes":
      return votesText(view, label, live.length);
  }
}

function votesText(view: RunView, label: AnswerLabel, live: number): string {
  const { fact } = view.decision!;
  const behind = countedBallots(view).filter((ballot) => ballot.targetLabel === label).length;
  const cast = countedBallots(view).length;
  switch (fact.consensus) {
    case "unanimous":
      return `${live === 2 ? "Both" : `All ${live}`} live agents voted for ${label}.`;
    case "majority":
      return live === 1 ? `The one live agent voted for ${label}.` : `${label} had ${behind} of ${votes(live)}, more than half.`;
    case "tie_broken":
      return tieText(view);
    default:
      return `${label} had the most votes: ${behind} of ${cast} cast, with ${agents(live)} entitled to vote.`;
  }
}

const votes = (count: number): string => `${count} possible vote${count === 1 ? "" : "s"}`;
const agents = (count: number): string => `${count} agent${count === 1 ? "" : "s"}`;

export const CRITERION: Readonly<Record<TieBreak, string>> = {
  peer_votes: "more votes from others than their own author",
  confidence: "more confident voters",
  registration_order: "the earlier place in the configuration",
  latest_answer: "the later answer",
};

function tieText(view: RunView): string {
  const { fact } = view.decision!;
  const tied = fact.tieBreakTrace[0]?.values.map(({ label }) => label) ?? fact.tally.map(({ label }) => label);
  const weight = fact.tally[0]?.weight ?? 0;
  const by = fact.tieBrokenBy === null ? "the order of the configuration" : CRITERION[fact.tieBrokenBy];
  return `${listOf(tied)} had ${weight} vote${weight === 1 ? "" : "s"} each; ${fact.label} of ${nameOf(view, fact.winner)} won the tie by ${by}.`;
}

/** `a`, `a and b`, `a, b and c`. */
export const listOf = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
