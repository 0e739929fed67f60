import type { AgentId, AnonId, AnswerLabel } from "@massgen/contracts";
import { agentOf, type Policy, type RunState, shownTo } from "@massgen/kernel";
import type { Callable } from "../prompts/callable.js";
import { workflowOf } from "./workflow-of.js";

/** What the agent may do at this moment, in the words of the prompts. */
export function callableNow(state: RunState, id: AgentId, policy: Policy): Callable {
  const agent = agentOf(state, id);
  if (agent === undefined) return { tools: [], voteFor: [] };
  return { tools: agent.tools, voteFor: shownTo(state, agent).map(authorOf), defined: workflowOf(state, policy) };
}

export const authorOf = (label: AnswerLabel): AnonId => label.slice(0, label.lastIndexOf(".")) as AnonId;
