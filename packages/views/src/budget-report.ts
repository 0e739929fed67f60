import type { AgentId } from "@massgen/contracts";
import type { Spending } from "@massgen/kernel";
import { roundCost } from "./report-parts.js";

/** The budget of a run and what is used of it, as `status.json` and the metrics have it. */
export interface BudgetReport {
  readonly max_total_tokens: number | null;
  readonly max_total_cost_usd: number | null;
  readonly max_llm_calls: number | null;
  readonly max_agent_tokens: number | null;
  readonly max_agent_cost_usd: number | null;
  readonly max_round_cost_usd: number | null;
  readonly warn_at: number;
  readonly reserve_for_final: number;
  /** `cost_usd`: of what has a known price. */
  readonly used: { readonly tokens: number; readonly cost_usd: number | null; readonly calls: number };
  readonly used_by_agent: Readonly<
    Record<AgentId, { readonly tokens: number; readonly cost_usd: number | null; readonly may: "answer" | "vote" | "nothing" }>
  >;
  /** Agents whose model has no known price. */
  readonly price_unknown: readonly AgentId[];
  readonly is_used_up: boolean;
}

/** `null` for a run without a budget. */
export function budgetReport(spending: Spending): BudgetReport | null {
  const { limits, tokens, costUsd, calls, agents, unpriced, isUsedUp } = spending;
  if (limits === null) return null;
  return {
    max_total_tokens: limits.maxTotalTokens,
    max_total_cost_usd: limits.maxTotalCostUsd,
    max_llm_calls: limits.maxLlmCalls,
    max_agent_tokens: limits.maxAgentTokens,
    max_agent_cost_usd: limits.maxAgentCostUsd,
    max_round_cost_usd: limits.maxRoundCostUsd,
    warn_at: limits.warnAt,
    reserve_for_final: limits.reserveForFinal,
    used: { tokens, cost_usd: roundCost(costUsd), calls },
    used_by_agent: Object.fromEntries(
      [...agents].map(([id, agent]) => [id, { tokens: agent.tokens, cost_usd: roundCost(agent.costUsd), may: agent.may }]),
    ),
    price_unknown: unpriced,
    is_used_up: isUsedUp,
  };
}
