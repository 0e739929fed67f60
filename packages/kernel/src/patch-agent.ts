import type { AgentId } from "@massgen/contracts";
import { agentWith, withChanges } from "./copy.js";
import { agentOf, withAgents } from "./inspect.js";
import type { AgentState, RunState } from "./state.js";

/** The state with one agent changed; as it is when there is no such agent. */
export function patchAgent(
  state: RunState,
  id: AgentId,
  change: Partial<AgentState> | ((agent: AgentState) => Partial<AgentState>),
): RunState {
  const agent = agentOf(state, id);
  if (agent === undefined) return state;
  const changed = agentWith(agent, typeof change === "function" ? change(agent) : change);
  return withChanges(state, { agents: withAgents(state, [changed]) });
}
