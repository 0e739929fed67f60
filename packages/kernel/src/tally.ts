import type { AnswerLabel, Consensus, Tally, TieBreak, TieBreakStep } from "@massgen/contracts";
import { answerAt, liveAgents } from "./inspect.js";
import type { Policy } from "./policy.js";
import type { CastVote, RunState } from "./state.js";

/** Weights closer than this are equal. */
export const EPSILON = 1e-9;

/** The votes that count now: of the current epoch and not cleared since, by agents that have not failed since. */
export const currentVotes = (state: RunState): readonly CastVote[] =>
  state.votes.filter(
    ({ epoch, ballot, voter }) => epoch === state.answers.length && ballot === state.ballot && state.agents[voter]?.vote !== null,
  );

/** The votes that a debate or a fresh start cleared in this epoch: what rounds of its kind are about. */
export const clearedVotes = (state: RunState): readonly CastVote[] =>
  state.votes.filter(({ epoch, ballot }) => epoch === state.reopened?.epoch && ballot === state.ballot - 1);

/** The newest votes that were cast together, for a decision that must be made without votes that count now. */
export function newestVotes(state: RunState): readonly CastVote[] {
  const newest = state.votes.at(-1);
  return newest === undefined ? [] : state.votes.filter((cast) => cast.epoch === newest.epoch && cast.ballot === newest.ballot);
}

/** Weight per label, heaviest first, ties by registration order of the authors. Labels without votes are left out. */
export function tallyVotes(state: RunState, votes: readonly CastVote[] = currentVotes(state)): readonly Tally[] {
  const weights = new Map<AnswerLabel, number>();
  for (const { targetLabel, weight } of votes) weights.set(targetLabel, (weights.get(targetLabel) ?? 0) + weight);
  const rank = (label: AnswerLabel): number => registrationIndex(state, label);
  return [...weights].map(([label, weight]) => ({ label, weight })).sort((a, b) => b.weight - a.weight || rank(a.label) - rank(b.label));
}

export interface Verdict {
  readonly label: AnswerLabel;
  readonly isTie: boolean;
  readonly tieBrokenBy: TieBreak | null;
  readonly trace: readonly TieBreakStep[];
}

/** The label with the most weight; a tie goes through the criteria one after another until one label is left. */
export function pickWinner(state: RunState, tally: readonly Tally[], votes: readonly CastVote[], policy: Policy): Verdict | null {
  const top = tally[0];
  if (top === undefined) return null;
  let tied: readonly AnswerLabel[] = tally.filter(({ weight }) => top.weight - weight < EPSILON).map(({ label }) => label);
  if (tied.length === 1) return { label: top.label, isTie: false, tieBrokenBy: null, trace: [] };
  const trace: TieBreakStep[] = [];
  for (const criterion of [...policy.tieBreak, "registration_order", "latest_answer"] as const) {
    const values = tied.map((label) => ({ label, value: VALUE_OF[criterion](state, label, votes) }));
    if (values.some(({ value }) => Number.isNaN(value))) continue;
    const best = Math.max(...values.map(({ value }) => value));
    const survivors = values.filter(({ value }) => best - value < EPSILON).map(({ label }) => label);
    trace.push({ criterion, values, survivors });
    tied = survivors;
    if (tied.length === 1) break;
  }
  return { label: tied[0] ?? top.label, isTie: true, tieBrokenBy: trace.at(-1)?.criterion ?? null, trace };
}

/** More is better, for each criterion; `NaN` skips it. Registration order counts down from 0, so that earlier is more. */
const VALUE_OF: Readonly<Record<TieBreak, (state: RunState, label: AnswerLabel, votes: readonly CastVote[]) => number>> = {
  peer_votes: (state, label, votes) =>
    votes.filter((vote) => vote.targetLabel === label && vote.voter !== answerAt(state, label)?.by).length,
  confidence: (_state, label, votes) => {
    const given = votes.flatMap((vote) => (vote.targetLabel === label && vote.confidence !== null ? [vote.confidence] : []));
    return given.length === 0 ? Number.NaN : given.reduce((sum, value) => sum + value, 0) / given.length;
  },
  registration_order: (state, label) => 0 - registrationIndex(state, label),
  latest_answer: (state, label) => answerAt(state, label)?.seq ?? 0,
};

/** How much of the team stands behind the winner; every live agent counts, also those without a vote. */
export function consensusOf(state: RunState, verdict: Verdict, tally: readonly Tally[], votes: readonly CastVote[]): Consensus {
  if (verdict.isTie) return "tie_broken";
  const live = liveAgents(state).length;
  const behind = votes.filter((vote) => vote.targetLabel === verdict.label).length;
  if (behind === live) return live >= 2 ? "unanimous" : "majority";
  const weight = tally.find(({ label }) => label === verdict.label)?.weight ?? 0;
  return weight > live / 2 ? "majority" : "plurality";
}

const registrationIndex = (state: RunState, label: AnswerLabel): number => state.order.indexOf(answerAt(state, label)?.by ?? "");
