import type { AnswerLabel, CoordinationEvent } from "@massgen/contracts";
import { callableTools } from "./caps.js";
import { unseenAnswers } from "./inspect.js";
import type { Policy } from "./policy.js";
import type { AgentState, RunState } from "./state.js";

/** Records what was put into a running conversation: those of the named answers that were indeed new to the agent. */
export function judgeDelivery(state: RunState, agent: AgentState, labels: readonly string[], policy: Policy): readonly CoordinationEvent[] {
  const delivered: readonly AnswerLabel[] = unseenAnswers(state, agent)
    .map((answer) => answer.label)
    .filter((label) => labels.includes(label));
  if (delivered.length === 0) return [];
  return [
    {
      type: "update_injected",
      agent: agent.card.id,
      round: agent.round,
      labels: delivered,
      tools: callableTools(state, agent, true, policy),
    },
  ];
}

export const judgeWrapUp = (agent: AgentState): readonly CoordinationEvent[] =>
  agent.softTimeout && agent.wrapUpSeq === null ? [{ type: "wrap_up_delivered", agent: agent.card.id, round: agent.round }] : [];
