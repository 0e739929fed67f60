import type { AgentId, AnswerLabel } from "@massgen/contracts";
import type { Ballot } from "./ballots.js";
import { listOf } from "./rule-text.js";
import { nameOf, type RunView } from "./run-view.js";
import { countedBallots } from "./vote-report.js";

/** Weights closer than this are equal, as in the tally. */
const EPSILON = 1e-9;

/** What the votes that counted would have come to without some of them. */
export interface WhatIf {
  /** Whose vote is left out; `null`: every vote that was cast for the voter's own answer. */
  readonly without: AgentId | null;
  /** The vote left out was for the voter's own answer. */
  readonly self_vote: boolean;
  readonly outcome: "same" | "other" | "tie";
  /** Who would have won; with `tie` all that would have been level, in the order of their authors. */
  readonly labels: readonly AnswerLabel[];
}

/**
 * The decision without each single vote, and without all votes for one's own answer where there were several. Adds up the
 * counted votes again, nothing else: how a tie would have been broken is not guessed, and without any vote the newest answer
 * wins, as the rule says. Empty where votes did not decide.
 */
export function whatIfs(view: RunView): readonly WhatIf[] {
  const selection = view.decision?.fact.selection;
  if (selection !== "votes" && selection !== "previous_epoch") return [];
  const excluded = view.decision?.fact.excluded ?? [];
  // Votes for what could not win change nothing.
  const votes = countedBallots(view).filter(({ targetLabel }) => !excluded.some((label) => label === targetLabel));
  const own = votes.filter(isOwn);
  return [
    ...votes.map((left) => outcomeWithout(view, votes, [left], left.voter)),
    ...(own.length > 1 ? [outcomeWithout(view, votes, own, null)] : []),
  ];
}

const isOwn = ({ voter, target }: Ballot): boolean => voter === target;

function outcomeWithout(view: RunView, votes: readonly Ballot[], left: readonly Ballot[], without: AgentId | null): WhatIf {
  const labels =
    leadersOf(
      view,
      votes.filter((ballot) => !left.includes(ballot)),
    ) ?? view.answers.slice(-1).map(({ label }) => label);
  const won = view.decision!.fact;
  // A tie that was a tie before, of the same answers, is broken the same way.
  const isSame = labels.length === 1 ? labels[0] === won.label : won.isTie && tiedLabels(won.tally).join() === labels.toSorted().join();
  return { without, self_vote: left.every(isOwn), outcome: isSame ? "same" : labels.length === 1 ? "other" : "tie", labels };
}

const tiedLabels = (tally: readonly { readonly label: AnswerLabel; readonly weight: number }[]): readonly AnswerLabel[] =>
  tally
    .filter(({ weight }) => (tally[0]?.weight ?? 0) - weight < EPSILON)
    .map(({ label }) => label)
    .toSorted();

/** The label with the most weight, or all that share it in the order of their authors; `null` without votes. */
function leadersOf(view: RunView, votes: readonly Ballot[]): readonly AnswerLabel[] | null {
  const weights = new Map<AnswerLabel, number>();
  for (const { targetLabel, weight } of votes) if (targetLabel !== null) weights.set(targetLabel, (weights.get(targetLabel) ?? 0) + weight);
  const top = Math.max(...weights.values());
  const places = new Map(view.answers.map(({ label, agent }) => [label, view.state.order.indexOf(agent)]));
  const leaders = [...weights].filter(([, weight]) => top - weight < EPSILON).map(([label]) => label);
  return weights.size === 0 ? null : leaders.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** Those that would have changed something, in words; one sentence when none would. Empty where votes did not decide. */
export function whatIfTexts(view: RunView): readonly string[] {
  const all = whatIfs(view);
  if (all.length === 0 || view.answers.length < 2) return [];
  const changed = all.filter(({ outcome }) => outcome !== "same");
  if (changed.length === 0) {
    const own = all.some(({ without }) => without === null) ? ", also without all that were cast for one's own answer" : "";
    return [`Without any one of the votes the result would have been the same${own}.`];
  }
  const groups = new Map<string, WhatIf[]>();
  for (const whatIf of changed) {
    const key = JSON.stringify([whatIf.without === null, whatIf.self_vote, whatIf.labels]);
    groups.set(key, [...(groups.get(key) ?? []), whatIf]);
  }
  return [...groups.values()].map((group) => whatIfText(view, group));
}

/** Votes whose absence would have come to the same are told together. */
function whatIfText(view: RunView, group: readonly WhatIf[]): string {
  const { self_vote, outcome, labels } = group[0]!;
  const voters = group.flatMap(({ without }) => (without === null ? [] : [nameOf(view, without)]));
  const [one] = voters;
  const votes = voters.length === 1 ? `the vote of ${one}` : `any one of the votes of ${listOf(voters)}`;
  const left = one === undefined ? "all votes for one's own answer" : self_vote ? `${votes} for its own answer` : votes;
  if (outcome === "tie") return `Without ${left}, ${listOf(labels)} would have been level.`;
  const isVoteless = countedBallots(view).length === (one === undefined ? countedBallots(view).filter(isOwn).length : 1);
  return isVoteless
    ? `Without ${left}, no vote is left, and the newest answer, ${labels[0]}, would have won.`
    : `Without ${left}, ${labels[0]} would have won.`;
}
