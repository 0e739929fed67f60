import type { BudgetConsequence } from "@massgen/contracts";
import type { RunState } from "@massgen/kernel";
import { formatAmount, limitTexts } from "@massgen/views";
import { block, type Teller } from "./block.js";
import { nameOf } from "./names.js";

const CONSEQUENCE: Readonly<Record<BudgetConsequence, string>> = {
  run_ends: "no new rounds, the best answer so far is used",
  vote_only: "what is left is for its votes",
  agent_stops: "its model is asked nothing more",
  round_ends: "its round ends",
  stored_answer: "the stored answer is the final one",
  unjudged: "the answer is released unjudged",
  unasked: "outside tools are kept for the final answer",
};

/** What a run spends, told when it matters. */
export const budgetTellers: Pick<Teller, "budget_set" | "budget_warning" | "budget_exceeded" | "price_unknown"> = {
  budget_set: ({ limits }) => block(null, "faint", `budget: ${limitTexts(limits).join(", ")}`),
  budget_warning: ({ agent, scope, unit, used, limit }, run) =>
    block(
      agent === null ? null : nameOf(run, agent),
      "warning",
      `budget: ${formatAmount(used, unit)} of ${formatAmount(limit, unit)} used${scope === "round" ? " in this round" : ""}`,
    ),
  budget_exceeded: ({ agent, scope, unit, used, limit, consequence }, run) =>
    block(
      scope === "run" || agent === null ? null : nameOf(run, agent),
      consequence === "vote_only" ? "warning" : "failure",
      `budget: ${formatAmount(used, unit)} of ${formatAmount(limit, unit)} used, no room for another request; ${CONSEQUENCE[consequence]}`,
    ),
  price_unknown: ({ agent }, run) =>
    block(nameOf(run, agent), "warning", "the price of its model is unknown: limits in dollars do not see what it spends"),
};

/** ` · 12,000 of 50,000 tokens`: the limits of the run that are set, and how far they are used. Empty without a budget. */
export function budgetInWords({ spending }: RunState): string {
  const { limits, tokens, costUsd, calls } = spending;
  if (limits === null) return "";
  const used = [
    limits.maxTotalTokens === null
      ? null
      : `${formatAmount(tokens, "tokens").replace(" tokens", "")} of ${formatAmount(limits.maxTotalTokens, "tokens")}`,
    limits.maxTotalCostUsd === null ? null : `${formatAmount(costUsd, "cost_usd")} of ${formatAmount(limits.maxTotalCostUsd, "cost_usd")}`,
    limits.maxLlmCalls === null ? null : `${calls} of ${formatAmount(limits.maxLlmCalls, "calls")}`,
  ].filter((text) => text !== null);
  return used.map((text) => ` · ${text}`).join("");
}
