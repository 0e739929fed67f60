import type { CoordinationEvent, RejectionCode } from "@massgen/contracts";
import { callableTools } from "./caps.js";
import { unseenAnswers } from "./inspect.js";
import type { Policy } from "./policy.js";
import type { AgentState, RunState } from "./state.js";

export interface Refusal {
  readonly type: "answer_rejected" | "vote_rejected" | "enforcement_retry";
  readonly code: RejectionCode;
  /** Names agents by their anonymous ids only: the model reads it. */
  readonly message: string;
}

/** Refusals that hold a good agent back instead of showing a broken one. */
const HELD_BACK: readonly RejectionCode[] = ["answer_limit", "fairness_lead", "answer_duplicate", "answer_novelty"];

/**
 * A refusal uses up an attempt; the last one ends the round: in an abstention when the agent was only held back and
 * there is an answer to stand by, else in failure (docs/spec/coordination.md 1.8).
 */
export function reject(state: RunState, agent: AgentState, refusal: Refusal, text: string, policy: Policy): readonly CoordinationEvent[] {
  const attempt = agent.attempts + 1;
  const refused: CoordinationEvent = {
    ...refusal,
    agent: agent.card.id,
    round: agent.round,
    attempt,
    maxAttempts: policy.maxAttemptsPerRound,
  };
  if (attempt < policy.maxAttemptsPerRound) return [refused, ...endOfFirstAnswerProtection(state, agent, refusal.code, policy)];
  if (mayAbstain(state, refusal)) return [refused, { type: "agent_abstained", agent: agent.card.id, code: refusal.code }];
  const message = `no valid action in ${attempt} attempts; the last one was refused: ${refusal.message}`;
  return [refused, { type: "agent_failed", agent: agent.card.id, kind: "protocol", message, fatal: true, lastText: text }];
}

const mayAbstain = (state: RunState, { type, code }: Refusal): boolean =>
  state.mode !== "sequential" &&
  state.answers.length > 0 &&
  (HELD_BACK.includes(code) || (code === "tool_unavailable" && type === "answer_rejected"));

/** A cap took effect while the agent was on its first answer: it is shown the answers there are and may vote. */
function endOfFirstAnswerProtection(state: RunState, agent: AgentState, code: RejectionCode, policy: Policy): readonly CoordinationEvent[] {
  const unseen = unseenAnswers(state, agent);
  if (code !== "answer_limit" || unseen.length === 0) return [];
  const labels = unseen.map((answer) => answer.label);
  return [{ type: "update_injected", agent: agent.card.id, round: agent.round, labels, tools: callableTools(state, agent, true, policy) }];
}
