import type { AgentId } from "@massgen/contracts";
import { agentsOf, answerAt, currentAnswers, epochOf, isLive, unseenAnswers } from "../inspect.js";
import { type Policy, SAFETY_CAP_ANSWERS } from "../policy.js";
import type { AgentState, Answer, RunState } from "../state.js";

/**
 * The cap of an agent counts its answers in a row since it last saw something new of a peer: it may go on refining what the
 * others' work calls for, and not its own alone. All answers together, and 20 of one agent, end in any case.
 */
export function isCappedInDecomposition(state: RunState, agent: AgentState, policy: Policy): boolean {
  if (agent.answers >= (policy.maxRounds ?? SAFETY_CAP_ANSWERS)) return true;
  if (policy.maxAnswersGlobal !== null && epochOf(state) >= policy.maxAnswersGlobal) return true;
  if (policy.maxAnswersPerAgent === null || agent.streak < policy.maxAnswersPerAgent) return false;
  return unseenAnswers(state, agent).length === 0;
}

export interface OwnLimit {
  readonly limit: "per_agent" | "safety";
  readonly value: number;
}

/** The limit of an agent that its newest answer used up. */
export function limitOfPart({ answers, streak }: AgentState, policy: Policy): OwnLimit | null {
  if (streak === policy.maxAnswersPerAgent) return { limit: "per_agent", value: streak };
  if (answers !== (policy.maxRounds ?? SAFETY_CAP_ANSWERS)) return null;
  return { limit: policy.maxRounds === null ? "safety" : "per_agent", value: answers };
}

/**
 * Who puts the parts together, and its newest answer: the configured agent, else the last of the configuration; in any case
 * one that has an answer, and if possible one whose model can still be asked.
 */
export function presenterOf(state: RunState, policy: Policy): Answer | null {
  const parts = currentAnswers(state);
  const partOf = (id: AgentId): Answer | undefined => parts.find((answer) => answer.by === id);
  const last = agentsOf(state).toReversed();
  const candidates = [...last.filter((agent) => agent.card.id === policy.presenterAgent), ...last];
  const chosen = candidates.find((agent) => canPresent(agent) && partOf(agent.card.id) !== undefined);
  const fallback = candidates.find((agent) => partOf(agent.card.id) !== undefined);
  return partOf((chosen ?? fallback)?.card.id ?? "") ?? null;
}

/** Nothing stands in the way of asking its model once more (docs/spec/coordination.md 1.13). */
export const canPresent = (agent: AgentState): boolean =>
  isLive(agent) || (agent.standing === "error" && (agent.failure?.kind === "protocol" || agent.failure?.kind === "context_overflow"));

/** The parts one below the other, in configuration order: what there is when nobody could put them together. */
export function joinedParts(state: RunState): string {
  const parts = currentAnswers(state).toSorted((a, b) => state.order.indexOf(a.by) - state.order.indexOf(b.by));
  return parts.map((answer) => answerAt(state, answer.label)?.content.trim() ?? "").join("\n\n");
}
