import { globalCapReached } from "../caps.js";
import { liveAgents } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { AgentState, Answer, RunState } from "../state.js";

export function defersVoting(state: RunState, policy: Policy): boolean {
  const nobodyJudges = state.mode === "sequential" || policy.skipVoting;
  return !nobodyJudges && (policy.deferVotingUntilAllAnswered ?? state.order.length >= 3);
}

/**
 * Live agents whose first answer is still to come. One that was shown answers before it had its own (its first round was
 * cut by a failure) may have voted instead: nobody waits for it any more.
 */
export function onFirstAnswer(state: RunState): readonly AgentState[] {
  const live = liveAgents(state);
  const known = firstOf.get(live);
  if (known !== undefined) return known;
  const first = live.filter((agent) => !agent.hasActed);
  firstOf.set(live, first);
  return first;
}
const firstOf = new WeakMap<readonly AgentState[], readonly AgentState[]>();

/**
 * Nobody evaluates before every live agent has its first answer: the fewest calls, and voters that have seen everything
 * (docs/spec/coordination.md 1.11). Ends with the global cap, or when the stragglers are given up waiting for.
 */
export const holdsForFirstAnswers = (state: RunState, agent: AgentState, policy: Policy): boolean =>
  agent.answers > 0 &&
  defersVoting(state, policy) &&
  !state.stragglersGivenUp &&
  !globalCapReached(state, policy) &&
  onFirstAnswer(state).length > 0;

/**
 * The first answer of the middle agent, the ceil(n/2)-th of the n live ones; `null` before it is there.
 * How long the hold goes on is measured from it.
 */
export function medianFirstAnswer(state: RunState): Answer | null {
  const live = new Set(liveAgents(state).map((agent) => agent.card.id));
  const first = state.answers.filter((answer) => answer.version === 1 && live.has(answer.by));
  return first[Math.ceil(live.size / 2) - 1] ?? null;
}
