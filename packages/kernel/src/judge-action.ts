import type { CoordinationEvent, RejectionCode } from "@massgen/contracts";
import { acceptAnswer, refusalOfAnswer } from "./judge-answer.js";
import { acceptStop } from "./judge-stop.js";
import { acceptVote, refusalOfVote } from "./judge-vote.js";
import type { Policy } from "./policy.js";
import { type Refusal, reject } from "./reject.js";
import type { AnswerClaim, Signal, StopClaim, VoteClaim } from "./signal.js";
import type { AgentState, RunState } from "./state.js";

type Offered<T extends Signal["type"]> = Extract<Signal, { type: T }>;

export function judgeAnswer(state: RunState, agent: AgentState, claim: AnswerClaim, policy: Policy): readonly CoordinationEvent[] {
  const refusal = refusalOfAnswer(state, agent, claim, policy);
  return refusal === null ? acceptAnswer(state, agent, claim, policy) : reject(state, agent, refusal, claim.content, policy);
}

export function judgeVote(state: RunState, agent: AgentState, claim: VoteClaim, policy: Policy): readonly CoordinationEvent[] {
  const refusal = refusalOfVote(state, agent, claim);
  return refusal === null ? acceptVote(state, agent, claim, false, policy) : reject(state, agent, refusal, "", policy);
}

/**
 * A response that contradicts itself. It is refused whole until the last attempt; then the answer counts if it passes,
 * else the last valid vote (docs/spec/coordination.md 1.9).
 */
export function judgeSeveral(
  state: RunState,
  agent: AgentState,
  signal: Offered<"several_offered">,
  policy: Policy,
): readonly CoordinationEvent[] {
  if (signal.stop !== undefined) return judgeStopAmongOthers(state, agent, { ...signal, stop: signal.stop }, policy);
  const refusal: Refusal =
    signal.answer === null
      ? { type: "enforcement_retry", code: "multiple_votes", message: "one response voted for several agents; vote for exactly one" }
      : { type: "enforcement_retry", code: "vote_and_answer", message: "one response both answered and voted; do one of the two" };
  if (agent.attempts + 1 < policy.maxAttemptsPerRound) return reject(state, agent, refusal, signal.text, policy);
  if (signal.answer !== null && refusalOfAnswer(state, agent, signal.answer, policy) === null)
    return acceptAnswer(state, agent, signal.answer, policy);
  const vote = signal.votes.findLast((claim) => refusalOfVote(state, agent, claim) === null);
  return vote === undefined ? reject(state, agent, refusal, signal.text, policy) : acceptVote(state, agent, vote, true, policy);
}

/** `stop` and an answer in one response: as a vote and an answer. */
function judgeStopAmongOthers(
  state: RunState,
  agent: AgentState,
  signal: Offered<"several_offered"> & { readonly stop: StopClaim },
  policy: Policy,
): readonly CoordinationEvent[] {
  const message = "one response both answered and stopped; do one of the two";
  const refusal: Refusal = { type: "enforcement_retry", code: "stop_and_answer", message };
  if (agent.attempts + 1 < policy.maxAttemptsPerRound) return reject(state, agent, refusal, signal.text, policy);
  if (signal.answer !== null && refusalOfAnswer(state, agent, signal.answer, policy) === null)
    return acceptAnswer(state, agent, signal.answer, policy);
  return agent.tools.includes("stop") ? acceptStop(state, agent, signal.stop, policy) : reject(state, agent, refusal, signal.text, policy);
}

const KIND_OF_REFUSAL: Readonly<Record<"new_answer" | "vote" | "stop", Refusal["type"]>> = {
  new_answer: "answer_rejected",
  vote: "vote_rejected",
  stop: "enforcement_retry",
};

/** A response without a usable workflow call. A call that may not be made now is refused for that first. */
export function judgeNothing(
  state: RunState,
  agent: AgentState,
  signal: Offered<"nothing_offered">,
  policy: Policy,
): readonly CoordinationEvent[] {
  const { tool } = signal;
  const unavailable = tool !== null && state.mode !== "single" && !agent.tools.includes(tool);
  const code: RejectionCode = unavailable ? "tool_unavailable" : signal.code;
  const message = unavailable ? `${tool} may not be called now` : signal.detail;
  return reject(state, agent, { type: tool === null ? "enforcement_retry" : KIND_OF_REFUSAL[tool], code, message }, signal.text, policy);
}

/** The hard limit of a round, insisted on: an agent with an answer stands by it, the text of another becomes its answer. */
export function judgeRoundTimeout(
  state: RunState,
  agent: AgentState,
  signal: Offered<"round_timed_out">,
  policy: Policy,
): readonly CoordinationEvent[] {
  if (agent.answers > 0) return [{ type: "agent_abstained", agent: agent.card.id, code: "hard_timeout" }];
  if (signal.answer !== null && refusalOfAnswer(state, agent, signal.answer, policy) === null)
    return acceptAnswer(state, agent, signal.answer, policy);
  return [{ type: "agent_timeout", agent: agent.card.id, limit: "hard", lastText: signal.text }];
}

/** One transient failure is forgiven: the round starts again with a fresh conversation. Everything else ends the agent. */
export function judgeFailure(agent: AgentState, signal: Offered<"round_failed">): readonly CoordinationEvent[] {
  const transient = signal.kind === "backend_transient" || signal.kind === "stall";
  const fatal = !transient || agent.transientFailures > 0;
  return [{ type: "agent_failed", agent: agent.card.id, kind: signal.kind, message: signal.message, fatal, lastText: signal.text }];
}
