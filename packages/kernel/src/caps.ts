import type { CoordinationEvent, WorkflowTool } from "@massgen/contracts";
import { spendingOf } from "./budget/spending.js";
import { epochOf } from "./inspect.js";
import { type Policy, SAFETY_CAP_ANSWERS } from "./policy.js";
import type { AgentState, RunState } from "./state.js";

export const answerCap = ({ maxAnswersPerAgent, maxRounds }: Policy): number =>
  maxAnswersPerAgent === null && maxRounds === null
    ? SAFETY_CAP_ANSWERS
    : Math.min(maxAnswersPerAgent ?? Number.POSITIVE_INFINITY, maxRounds ?? Number.POSITIVE_INFINITY);

const globalCapReached = (state: RunState, policy: Policy): boolean =>
  policy.maxAnswersGlobal !== null && epochOf(state) >= policy.maxAnswersGlobal;

/** Its budget is for votes only; nobody needs to vote who has no answer of its own yet. */
export const isShortOfMoney = (state: RunState, agent: AgentState): boolean =>
  agent.answers > 0 && spendingOf(state.spending, agent.card.id).may !== "answer";

/**
 * May only vote from now on: answers are closed, or its own cap, the cap over all, the safety cap or the part of its budget
 * for answers is reached (docs/spec/coordination.md 1.11).
 */
export const isCapped = (state: RunState, agent: AgentState, policy: Policy): boolean =>
  state.answersClosed || agent.answers >= answerCap(policy) || globalCapReached(state, policy) || isShortOfMoney(state, agent);

export { globalCapReached };

/** The workflow tools an agent may call once `hasSeenAnswers` says whether any answer is in front of it. */
export function callableTools(state: RunState, agent: AgentState, hasSeenAnswers: boolean, policy: Policy): readonly WorkflowTool[] {
  if (state.mode === "single") return [];
  if (!hasSeenAnswers) return ["new_answer"];
  return isCapped(state, agent, policy) ? ["vote"] : ["new_answer", "vote"];
}

/** What to record when an accepted answer used up a cap; `state` already holds the answer. */
export function limitsReached(state: RunState, agent: AgentState, policy: Policy): readonly CoordinationEvent[] {
  if (state.mode === "single") return [];
  const facts: CoordinationEvent[] = [];
  if (agent.answers === answerCap(policy))
    facts.push({
      type: "limit_reached",
      agent: agent.card.id,
      limit: policy.maxAnswersPerAgent === null && policy.maxRounds === null ? "safety" : "per_agent",
      value: agent.answers,
    });
  if (policy.maxAnswersGlobal !== null && epochOf(state) === policy.maxAnswersGlobal)
    facts.push({ type: "limit_reached", agent: null, limit: "global", value: policy.maxAnswersGlobal });
  return facts;
}
