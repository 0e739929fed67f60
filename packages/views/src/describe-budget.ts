import type { BudgetConsequence, BudgetLimits, BudgetUnit } from "@massgen/contracts";
import type { Describe } from "./describe.js";
import { formatCost, formatCount } from "./format.js";

/** `12,000 tokens`, `$0.50`, `8 calls`. */
export function formatAmount(amount: number, unit: BudgetUnit): string {
  if (unit === "cost_usd") return formatCost(amount);
  return `${formatCount(Math.round(amount))} ${unit}`;
}

/** The limits that are set, as people read them. */
export function limitTexts(limits: BudgetLimits): readonly string[] {
  const all: readonly (readonly [number | null, BudgetUnit, string])[] = [
    [limits.maxTotalTokens, "tokens", ""],
    [limits.maxTotalCostUsd, "cost_usd", ""],
    [limits.maxLlmCalls, "calls", ""],
    [limits.maxAgentTokens, "tokens", " per agent"],
    [limits.maxAgentCostUsd, "cost_usd", " per agent"],
    [limits.maxRoundCostUsd, "cost_usd", " per round"],
  ];
  return all.flatMap(([limit, unit, whose]) => (limit === null ? [] : [`${formatAmount(limit, unit)}${whose}`]));
}

const CONSEQUENCE: Readonly<Record<BudgetConsequence, string>> = {
  run_ends: "no new rounds are begun",
  vote_only: "what is left is for its votes",
  agent_stops: "it asks its model nothing more",
  round_ends: "its round ends",
  stored_answer: "the stored answer is final",
  unjudged: "the answer is released unjudged",
  unasked: "outside tools are kept for the final answer",
};

const whose = (agent: string | null, scope: string): string => (scope === "run" || agent === null ? "the run" : agent);

export const budgetSentences: Pick<Describe, "budget_set" | "budget_warning" | "budget_exceeded" | "price_unknown"> = {
  budget_set: ({ limits }) => {
    const texts = limitTexts(limits);
    return texts.length === 0 ? null : `The budget: ${texts.join(", ")}`;
  },
  budget_warning: ({ agent, scope, unit, used, limit }) =>
    `${formatAmount(used, unit)} of the ${formatAmount(limit, unit)} of ${whose(agent, scope)}${scope === "round" ? "'s round" : ""} are used`,
  budget_exceeded: ({ agent, scope, unit, used, limit, consequence }) =>
    `The budget of ${whose(agent, scope)}${scope === "round" ? " for a round" : ""} leaves no room (${formatAmount(used, unit)} of ${formatAmount(limit, unit)} used); ${CONSEQUENCE[consequence]}`,
  price_unknown: ({ agent }) => `The price of ${agent}'s model is unknown: limits in dollars do not see what it spends`,
};
