import { isCapped } from "../caps.js";
import { isLive, isSettled, liveAgents } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { AgentState, RunState } from "../state.js";
import { brokenStage } from "./sequential.js";

/** Nothing more is expected of the agent while the answers are as they are: it is not started again. */
export function isDone(state: RunState, agent: AgentState, policy: Policy): boolean {
  if (isSettled(agent)) return true;
  switch (state.mode) {
    case "single":
    case "sequential":
      return agent.answers > 0;
    case "refine":
      return isCapped(state, agent, policy) || (policy.skipVoting && agent.answers > 0);
    case "voting":
      return policy.skipVoting && (agent.answers > 0 || isCapped(state, agent, policy));
    case "decomposition":
      return false;
  }
}

/** Coordination is over (docs/spec/coordination.md 1.12). */
export function isComplete(state: RunState, policy: Policy): boolean {
  const live = liveAgents(state);
  if (live.length === 0) return true;
  if (state.mode === "sequential" && brokenStage(state) !== undefined) return true;
  return state.answers.length > 0 && live.filter(isLive).every((agent) => isDone(state, agent, policy));
}
