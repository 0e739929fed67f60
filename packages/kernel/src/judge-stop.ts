import type { CoordinationEvent } from "@massgen/contracts";
import { beginRound } from "./begin-round.js";
import { callableTools } from "./caps.js";
import { unseenAnswers } from "./inspect.js";
import { mayInject } from "./may-inject.js";
import type { Policy } from "./policy.js";
import { type Refusal, reject } from "./reject.js";
import type { StopClaim } from "./signal.js";
import type { AgentState, RunState } from "./state.js";

/**
 * An agent declares its part done. Refused, as long as attempts are left, while it claims completeness and has submitted
 * nothing: the work would be lost with the conversation.
 */
export function judgeStop(state: RunState, agent: AgentState, claim: StopClaim, policy: Policy): readonly CoordinationEvent[] {
  const refusal = refusalOfStop(agent, claim, policy);
  return refusal === null ? acceptStop(state, agent, claim, policy) : reject(state, agent, refusal, claim.summary, policy);
}

function refusalOfStop(agent: AgentState, claim: StopClaim, policy: Policy): Refusal | null {
  if (!agent.tools.includes("stop")) return { type: "enforcement_retry", code: "tool_unavailable", message: "stop may not be called now" };
  const isLast = agent.attempts + 1 >= policy.maxAttemptsPerRound;
  if (agent.answers > 0 || claim.status === "blocked" || isLast || !agent.tools.includes("new_answer")) return null;
  const message = "you have submitted nothing yet; submit your part with new_answer, or stop with status blocked";
  return { type: "enforcement_retry", code: "stop_without_answer", message };
}

/** As with a stale vote: who has not seen the newest answers of others sees them first, which costs no attempt. */
export function acceptStop(state: RunState, agent: AgentState, claim: StopClaim, policy: Policy): readonly CoordinationEvent[] {
  const at = { agent: agent.card.id, round: agent.round };
  const { summary, status } = claim;
  const unseen = unseenAnswers(state, agent).map((answer) => answer.label);
  if (unseen.length === 0 || agent.hardTimeout) return [{ type: "agent_stopped", ...at, summary, status, by: "agent" }];
  const ignored: CoordinationEvent = { type: "stop_ignored", ...at, summary, unseen };
  return mayInject(agent, policy)
    ? [ignored, { type: "update_injected", ...at, labels: unseen, tools: callableTools(state, agent, true, policy) }]
    : [ignored, ...beginRound(state, agent, policy)];
}
