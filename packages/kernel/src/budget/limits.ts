import type { AgentId, BudgetLimits, BudgetScope, BudgetUnit } from "@massgen/contracts";
import type { RunState } from "../state.js";
import { spendingOf } from "./spending.js";

/** One limit and how far it is used. */
export interface LimitUse {
  readonly scope: BudgetScope;
  readonly unit: BudgetUnit;
  readonly used: number;
  readonly limit: number;
}

/** What a request is expected to use. */
export interface RequestNeed {
  readonly tokens: number;
  readonly costUsd: number;
}

/** Sums of prices are binary fractions: what differs by less than this does not differ. */
const EPSILON = 1e-9;

/** The limits that bind `agent`, those of the run first. With `null` only those of the run. */
export function limitsFor(state: RunState, agent: AgentId | null, limits: BudgetLimits): readonly LimitUse[] {
  const { spending } = state;
  const own = agent === null ? null : spendingOf(spending, agent);
  const round = agent === null ? undefined : state.agents[agent]?.round;
  const all: readonly (readonly [BudgetScope, BudgetUnit, number | undefined, number | null])[] = [
    ["run", "tokens", spending.tokens, limits.maxTotalTokens],
    ["run", "cost_usd", spending.costUsd, limits.maxTotalCostUsd],
    ["run", "calls", spending.calls, limits.maxLlmCalls],
    ["agent", "tokens", own?.tokens, limits.maxAgentTokens],
    ["agent", "cost_usd", own?.costUsd, limits.maxAgentCostUsd],
    ["round", "cost_usd", own === null ? undefined : own.round === round ? own.roundCostUsd : 0, limits.maxRoundCostUsd],
  ];
  return all.flatMap(([scope, unit, used, limit]) => (used === undefined || limit === null ? [] : [{ scope, unit, used, limit }]));
}

/** What `use` may grow to: coordination leaves the reserve of the run's limits to the final answer, at least one call free. */
function allowanceOf({ scope, unit, limit }: LimitUse, isFinal: boolean, { reserveForFinal }: BudgetLimits): number {
  if (isFinal || scope !== "run") return limit;
  const allowed = limit * (1 - reserveForFinal);
  return unit === "calls" ? Math.max(1, Math.floor(allowed + EPSILON)) : allowed;
}

const neededOf = ({ unit }: LimitUse, need: RequestNeed): number => (unit === "calls" ? 1 : unit === "tokens" ? need.tokens : need.costUsd);

/** The first limit that a request would pass, with what it would have used; `null` when it may be sent. */
export function refusedBy(
  uses: readonly LimitUse[],
  need: RequestNeed,
  isFinal: boolean,
  limits: BudgetLimits,
): (LimitUse & { readonly requested: number }) | null {
  for (const use of uses) {
    const requested = neededOf(use, need);
    // A limit that is used to its last cent leaves no room, also for what is thought to cost nothing.
    const allowed = allowanceOf(use, isFinal, limits);
    if (use.used + requested > allowed + EPSILON || use.used >= allowed - EPSILON) return { ...use, requested };
  }
  return null;
}
