import { isCapped } from "../caps.js";
import { isSettled, liveAgents } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { AgentState, RunState } from "../state.js";

/**
 * How many answers the agent would be ahead of the slowest other active one if its next answer were accepted.
 * Active: live and without a vote, stop or abstention. `null`: nobody to be ahead of.
 */
export function leadAfterNextAnswer(state: RunState, agent: AgentState): number | null {
  const slowest = slowestTwo(state).find((other) => other !== agent);
  return slowest === undefined ? null : agent.answers + 1 - slowest.answers;
}

/** Of the active agents, the one with the fewest answers first: asked about every agent that waits. */
function slowestTwo(state: RunState): readonly AgentState[] {
  const known = slowestOf.get(state.agents);
  if (known !== undefined) return known;
  let slowest: readonly AgentState[] = [];
  for (const agent of liveAgents(state)) {
    if (isSettled(agent)) continue;
    const [first, second] = slowest;
    if (first === undefined || agent.answers < first.answers) slowest = first === undefined ? [agent] : [agent, first];
    else if (second === undefined || agent.answers < second.answers) slowest = [first, agent];
  }
  slowestOf.set(state.agents, slowest);
  return slowest;
}
const slowestOf = new WeakMap<RunState["agents"], readonly AgentState[]>();

/** Its next answer would be refused for running too far ahead. Never blocks a first answer. */
export function isTooFarAhead(state: RunState, agent: AgentState, policy: Policy): boolean {
  const lead = agent.answers === 0 || policy.fairnessLeadCap === null ? null : leadAfterNextAnswer(state, agent);
  return lead !== null && policy.fairnessLeadCap !== null && lead > policy.fairnessLeadCap;
}

/** Keeps the agent waiting while its next answer would be refused anyway; one that may only vote need not wait. */
export const holdsForFairness = (state: RunState, agent: AgentState, policy: Policy): boolean =>
  !isCapped(state, agent, policy) && isTooFarAhead(state, agent, policy);
