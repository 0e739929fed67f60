import type { CoordinationEvent } from "@massgen/contracts";
import { currentAnswers, isSettled, liveAgents } from "./inspect.js";
import type { Policy } from "./policy.js";
import { similarityOf } from "./similarity.js";
import type { Answer, RunState } from "./state.js";
import { currentVotes, EPSILON, tallyVotes } from "./tally.js";
import { isExcluded, latestEligible } from "./verified.js";

/** Answers this alike say the same. */
const SAME = 0.95;
/** Debates there may be where `maxRounds` says nothing. */
const DEFAULT_DEBATES = 2;

/** Weight of the leading answer over the number of live agents, also of those that have not voted; 0 without votes. */
export function leadingShare(state: RunState): number {
  const live = liveAgents(state).length;
  return live === 0 ? 0 : (tallyVotes(state)[0]?.weight ?? 0) / live;
}

/**
 * The team agrees before everybody has voted, or without: enough of it stands behind one answer and nobody is on its first
 * round any more, or all answers say the same (docs/spec/coordination.md 1.22).
 */
export function convergence(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  const threshold = policy.convergenceThreshold;
  const live = liveAgents(state);
  if (threshold === null || state.mode !== "voting" || policy.skipVoting || isCutShort(state) || live.length === 0) return [];
  // What cannot win is nothing to agree on.
  const leader = tallyVotes(state).find(({ label }) => !isExcluded(state, label, policy));
  const share = (leader?.weight ?? 0) / live.length;
  if (leader !== undefined && share >= threshold - EPSILON && live.every((agent) => agent.hasActed))
    return [{ type: "converged", by: "votes", label: leader.label, share, threshold }];
  const latest = latestEligible(state, policy);
  if (latest === undefined || !live.every((agent) => agent.answers > 0) || !areAllAlike(currentAnswers(state))) return [];
  return [{ type: "converged", by: "similarity", label: leader?.label ?? latest.label, share: null, threshold }];
}

/** A limit ends the run: what there is decides, however few agree. */
export const isCutShort = (state: RunState): boolean => state.orchestratorTimeout || state.spending.isUsedUp;

/** Everybody has voted and too few agree: another debate, while one is left. Nothing to improve on, nothing to debate. */
export function debateOrMiss(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  const threshold = policy.convergenceThreshold;
  const live = liveAgents(state);
  const votes = currentVotes(state);
  if (threshold === null || state.mode !== "voting" || isCutShort(state) || votes.length === 0 || !live.every(isSettled)) return [];
  const share = leadingShare(state);
  const of = policy.maxRounds === null ? DEFAULT_DEBATES : policy.maxRounds - 1;
  const mayDebate = live.length >= 2 && !state.answersClosed && !state.answerNow && !state.orchestratorTimeout && !state.spending.isUsedUp;
  if (!mayDebate || state.debates >= of) return [{ type: "convergence_missed", share, threshold, debates: state.debates }];
  return [{ type: "debate_started", debate: state.debates + 1, of, share, threshold, voters: votes.map(({ voter }) => voter) }];
}

/** Every pair of them; asked after every action, so kept as long as the answers are the same. */
function areAllAlike(answers: readonly Answer[]): boolean {
  const known = alike.get(answers);
  if (known !== undefined) return known;
  const all = answers.length > 1 && answers.every((a, index) => answers.slice(index + 1).every((b) => similarityOf(a, b) >= SAME));
  alike.set(answers, all);
  return all;
}
const alike = new WeakMap<readonly Answer[], boolean>();
