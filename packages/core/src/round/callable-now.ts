import type { AgentId, AnonId, AnswerLabel } from "@massgen/contracts";
import { agentOf, type RunState, shownTo } from "@massgen/kernel";
import type { Callable } from "../prompts/callable.js";

/** What the agent may do at this moment, in the words of the prompts. */
export function callableNow(state: RunState, id: AgentId): Callable {
  const agent = agentOf(state, id);
  return agent === undefined ? { tools: [], voteFor: [] } : { tools: agent.tools, voteFor: shownTo(state, agent).map(authorOf) };
}

export const authorOf = (label: AnswerLabel): AnonId => label.slice(0, label.lastIndexOf(".")) as AnonId;
