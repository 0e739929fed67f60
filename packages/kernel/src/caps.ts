import type { CoordinationEvent, WorkflowTool } from "@massgen/contracts";
import { spendingOf } from "./budget/spending.js";
import { epochOf } from "./inspect.js";
import { isCappedInDecomposition, limitOfPart, type OwnLimit } from "./modes/decomposition.js";
import { refineCap } from "./modes/refine.js";
import { type Policy, SAFETY_CAP_ANSWERS } from "./policy.js";
import type { AgentState, RunState } from "./state.js";

export function answerCap(state: RunState, policy: Policy): number {
  if (state.mode === "refine") return refineCap(policy);
  const { maxAnswersPerAgent, maxRounds } = policy;
  if (maxAnswersPerAgent === null && maxRounds === null) return SAFETY_CAP_ANSWERS;
  return Math.min(maxAnswersPerAgent ?? Number.POSITIVE_INFINITY, maxRounds ?? Number.POSITIVE_INFINITY);
}

const globalCapReached = (state: RunState, policy: Policy): boolean =>
  policy.maxAnswersGlobal !== null && epochOf(state) >= policy.maxAnswersGlobal;

/** Its budget is for votes only; nobody needs to vote who has no answer of its own yet. */
const isShortOfMoney = (state: RunState, agent: AgentState): boolean =>
  agent.answers > 0 && spendingOf(state.spending, agent.card.id).may !== "answer";

/**
 * May only vote from now on, or stop: answers are closed, or its own cap, the cap over all, the safety cap or the part of its
 * budget for answers is reached (docs/spec/coordination.md 1.11).
 */
export function isCapped(state: RunState, agent: AgentState, policy: Policy): boolean {
  if (state.mode === "sequential") return agent.answers > 0;
  if (state.answersClosed || isShortOfMoney(state, agent)) return true;
  if (state.mode === "decomposition") return isCappedInDecomposition(state, agent, policy);
  const byAll = state.mode !== "refine" && globalCapReached(state, policy);
  return byAll || agent.answers >= answerCap(state, policy);
}

export { globalCapReached };

/** The workflow tools an agent may call once `hasSeenAnswers` says whether any answer is in front of it. */
export function callableTools(state: RunState, agent: AgentState, hasSeenAnswers: boolean, policy: Policy): readonly WorkflowTool[] {
  if (state.mode === "single") return [];
  if (state.mode === "decomposition") return isCapped(state, agent, policy) ? ["stop"] : ["new_answer", "stop"];
  if (state.mode === "sequential" || policy.skipVoting || !hasSeenAnswers) return ["new_answer"];
  return isCapped(state, agent, policy) ? ["vote"] : ["new_answer", "vote"];
}

/** The agent's own limit that its newest answer used up. */
function ownLimit(state: RunState, agent: AgentState, policy: Policy): OwnLimit | null {
  if (state.mode === "decomposition") return limitOfPart(agent, policy);
  if (agent.answers !== answerCap(state, policy)) return null;
  const isConfigured = state.mode === "refine" || policy.maxAnswersPerAgent !== null || policy.maxRounds !== null;
  return { limit: isConfigured ? "per_agent" : "safety", value: agent.answers };
}

/** What to record when an accepted answer used up a cap; `state` already holds the answer. */
export function limitsReached(state: RunState, agent: AgentState, policy: Policy): readonly CoordinationEvent[] {
  if (state.mode === "single" || state.mode === "sequential") return [];
  const facts: CoordinationEvent[] = [];
  const own = ownLimit(state, agent, policy);
  if (own !== null) facts.push({ type: "limit_reached", agent: agent.card.id, ...own });
  if (policy.maxAnswersGlobal !== null && epochOf(state) === policy.maxAnswersGlobal)
    facts.push({ type: "limit_reached", agent: null, limit: "global", value: policy.maxAnswersGlobal });
  return facts;
}
