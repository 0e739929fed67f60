import type { AnswerLabel, Tally, TieBreak } from "@massgen/contracts";
import type { DecisionView } from "./decision-view.js";
import { allRounds, nameOf, type RunView } from "./run-view.js";
import { countedBallots } from "./vote-report.js";

/** One sentence naming the rule that decided; `null` before the decision. */
export function ruleText(view: RunView): string | null {
  const rule = whatDecided(view);
  const sentences = [agreementText(view), exclusionText(view), rule].filter((sentence) => sentence !== null);
  return rule === null ? null : sentences.join(" ");
}

/** Where a share of the team was asked for: whether it was reached. */
function agreementText(view: RunView): string | null {
  const { agreement } = view;
  if (agreement === null) return null;
  if (agreement.type === "converged" && agreement.by === "similarity") return "All answers said the same, so nothing was left to decide.";
  const share = percent(agreement.share ?? 0);
  const reached = isWeighted(view)
    ? `${share} of the weight the team can give stood behind one answer`
    : `${share} of the team stood behind one answer`;
  if (agreement.type === "converged") return `${reached}, and ${percent(agreement.threshold)} were asked for.`;
  const debates = agreement.debates === 0 ? "" : ` after ${agreement.debates === 1 ? "1 debate" : `${agreement.debates} debates`}`;
  return `Only ${reached}${debates}, where ${percent(agreement.threshold)} were asked for.`;
}

/** Where answers that failed the user's check were out of the question. */
function exclusionText({ decision }: RunView): string | null {
  const excluded = decision?.fact.excluded ?? [];
  return excluded.length === 0 ? null : `${listOf(excluded)} failed the check, which another answer passed, and could not win.`;
}

function whatDecided(view: RunView): string | null {
  if (view.decision === null) return null;
  const { fact, live } = view.decision;
  const { label } = fact;
  if (label === null) return "Coordination was skipped: the first agent answers at once.";
  switch (fact.selection) {
    case "single":
      return singleText(view, label);
    case "latest_answer":
      if (view.state.mode === "sequential") return sequentialText(view, label);
      if (view.answers.length > 1 && !wasAskedToVote(view)) return `Nobody was asked to vote, so the newest answer, ${label}, was taken.`;
      return view.answers.length === 1
        ? `No vote counted, and ${label} was the only answer.`
        : `No vote counted, so the newest answer, ${label}, was taken: it was written with knowledge of the earlier ones.`;
    case "previous_epoch":
      return `Time was up and no vote of the last epoch counted, so the votes of the newest epoch that had any decided for ${label}.`;
    case "presenter":
      return view.state.mode === "decomposition"
        ? `Each agent worked on a part of its own; ${nameOf(view, fact.winner)} puts the parts together.`
        : `Nobody was asked to vote; ${nameOf(view, fact.winner)} merges the answers, none of which counts more than another.`;
    case "skipped":
      return `Coordination was skipped; the first agent presents, on the basis of ${label}.`;
    case "votes":
      return votesText(view, label, live.length);
  }
}

function singleText({ state, limits }: RunView, label: AnswerLabel): string {
  const isAtCap = state.mode === "refine" && limits.some(({ limit }) => limit === "per_agent");
  const accepted = state.votes.length > 0 ? " It accepted it in the end." : isAtCap ? " It had no more answers to give." : "";
  return `There was one agent; its newest answer, ${label}, is the result.${accepted}`;
}

function sequentialText({ state, answers }: RunView, label: AnswerLabel): string {
  const stages = state.order.length;
  return answers.length === stages
    ? `The agents worked one after another; ${label}, of the last of ${stages} stages, is the result.`
    : `The agents worked one after another; stage ${answers.length + 1} of ${stages} delivered nothing, so ${label} of the stage before is the result.`;
}

/** Without this, that there were no votes says nothing about the answers. */
export const wasAskedToVote = (view: RunView): boolean =>
  allRounds(view).some(({ kind }) => kind !== "initial" && kind !== "stage" && kind !== "presentation");

function votesText(view: RunView, label: AnswerLabel, live: number): string {
  const { fact } = view.decision!;
  const behind = countedBallots(view).filter((ballot) => ballot.targetLabel === label).length;
  const cast = countedBallots(view).length;
  if (isWeighted(view) && fact.consensus !== "tie_broken" && fact.consensus !== "unanimous") {
    const all = fact.tally.reduce((sum, { weight }) => sum + weight, 0);
    return `${label} had the most weight: ${weightText(fact.tally[0]?.weight ?? 0)} of ${weightText(all)} cast, by ${behind} of ${agents(live)} entitled to vote.`;
  }
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

/** Votes did not all count the same. */
export const isWeighted = (view: RunView): boolean => countedBallots(view).some(({ weight }) => weight !== 1);
/** Sums of confidences have digits that mean nothing. */
export const weightText = (weight: number): string => String(Math.round(weight * 1000) / 1000);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
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
  const each = isWeighted(view) ? `a weight of ${weightText(weight)}` : `${weight} vote${weight === 1 ? "" : "s"}`;
  return `${listOf(tied)} had ${each} each; ${fact.label} of ${nameOf(view, fact.winner)} won the tie by ${by}.`;
}

/** `a`, `a and b`, `a, b and c`. */
export const listOf = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** The tally of what could win. */
export const standing = ({ tally, excluded = [] }: DecisionView["fact"]): readonly Tally[] =>
  tally.filter(({ label }) => !excluded.includes(label));
