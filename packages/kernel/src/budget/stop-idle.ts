import type { CoordinationEvent } from "@massgen/contracts";
import type { Policy } from "../policy.js";
import type { AgentState, RunState } from "../state.js";
import { abstains } from "./judge-request.js";
import { limitsFor, refusedBy } from "./limits.js";
import { spendingOf } from "./spending.js";

/** Nothing is needed for asking whether there is any room at all. */
const NOTHING = { tokens: 0, costUsd: 0 };

/** Agents that would begin a round they cannot pay for abstain instead; what runs may end. */
export function stopIdle(state: RunState, idle: readonly AgentState[], { budget, finalAnswer }: Policy): readonly CoordinationEvent[] {
  if (budget === null || idle.length === 0) return [];
  const isFinal = state.mode === "single" || state.mode === "refine" || finalAnswer === "reuse";
  const refused = state.spending.isUsedUp ? null : refusedBy(limitsFor(state, null, budget), NOTHING, isFinal, budget);
  if (refused !== null) {
    const exceeded: CoordinationEvent = { type: "budget_exceeded", agent: null, ...refused, consequence: "run_ends", lastText: "" };
    return [exceeded, ...idle.map(({ card }) => abstains(card.id))];
  }
  const stopped = state.spending.isUsedUp ? idle : idle.filter(({ card }) => spendingOf(state.spending, card.id).may === "nothing");
  return stopped.map(({ card }) => abstains(card.id));
}
