import { isCapped } from "../caps.js";
import { isSettled, liveAgents } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { AgentState, RunState } from "../state.js";

/**
 * How many answers the agent would be ahead of the slowest other active one if its next answer were accepted.
 * Active: live and without a vote, stop or abstention. `null`: nobody to be ahead of.
 */
export function leadAfterNextAnswer(state: RunState, agent: AgentState): number | null {
  const others = liveAgents(state).filter((other) => other !== agent && !isSettled(other));
  return others.length === 0 ? null : agent.answers + 1 - Math.min(...others.map((other) => other.answers));
}

/** Its next answer would be refused for running too far ahead. Never blocks a first answer. */
export function isTooFarAhead(state: RunState, agent: AgentState, policy: Policy): boolean {
  const lead = agent.answers === 0 || policy.fairnessLeadCap === null ? null : leadAfterNextAnswer(state, agent);
  return lead !== null && policy.fairnessLeadCap !== null && lead > policy.fairnessLeadCap;
}

/** Keeps the agent waiting while its next answer would be refused anyway; one that may only vote need not wait. */
export const holdsForFairness = (state: RunState, agent: AgentState, policy: Policy): boolean =>
  !isCapped(state, agent, policy) && isTooFarAhead(state, agent, policy);
