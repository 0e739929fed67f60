import type { AgentId } from "@massgen/contracts";
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
  const changed = { ...agent, ...(typeof change === "function" ? change(agent) : change) };
  return { ...state, agents: withAgents(state, [[agent, changed]]) };
}
