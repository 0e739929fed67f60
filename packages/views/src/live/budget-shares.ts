import type { BudgetUnit } from "@massgen/contracts";
import type { Spending } from "@massgen/kernel";

/** How much of one limit is used. */
export interface BudgetShare {
  /** The agent whose limit it is; `null`: the run's. */
  readonly agent: string | null;
  readonly unit: BudgetUnit;
  readonly used: number;
  readonly limit: number;
  /** From 0 to 1; a limit of nothing is used up. */
  readonly share: number;
}

/** The limits that are set, those of the run first; limits of one round pass too quickly to be watched. */
export function budgetShares({ limits, tokens, costUsd, calls, agents }: Spending): readonly BudgetShare[] {
  if (limits === null) return [];
  const ofRun = shares(null, [
    ["tokens", tokens, limits.maxTotalTokens],
    ["cost_usd", costUsd, limits.maxTotalCostUsd],
    ["calls", calls, limits.maxLlmCalls],
  ]);
  const ofAgents = [...agents].flatMap(([id, agent]) =>
    shares(id, [
      ["tokens", agent.tokens, limits.maxAgentTokens],
      ["cost_usd", agent.costUsd, limits.maxAgentCostUsd],
    ]),
  );
  return [...ofRun, ...ofAgents];
}

const shares = (
  agent: string | null,
  all: readonly (readonly [unit: BudgetUnit, used: number, limit: number | null])[],
): readonly BudgetShare[] =>
  all.flatMap(([unit, used, limit]) =>
    limit === null ? [] : [{ agent, unit, used, limit, share: limit <= 0 ? 1 : Math.min(1, used / limit) }],
  );
