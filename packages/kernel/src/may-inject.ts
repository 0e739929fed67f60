import type { Policy } from "./policy.js";
import type { AgentState } from "./state.js";

/**
 * Whether peers' new answers may be put into the agent's running conversation: not when updates wait for the next round,
 * not beyond the cap of the round, not when its time is nearly over (docs/spec/coordination.md 1.7).
 */
export const mayInject = (agent: AgentState, policy: Policy): boolean =>
  policy.peerUpdates === "midstream" &&
  !agent.softTimeout &&
  (policy.maxInjectionsPerRound === null || agent.injections < policy.maxInjectionsPerRound);
