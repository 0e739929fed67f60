import type { Usage } from "@massgen/contracts";

export const nothingSpent: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: 0 };

/** The sum. One unknown price makes the sum unknown: a cost is never reported lower than it was. */
export function addSpent(a: Usage, b: Usage): Usage {
  const sum = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
  return a.estimated === true || b.estimated === true ? { ...sum, estimated: true } : sum;
}

export const tokensOf = (usage: Usage | null): number => (usage === null ? 0 : usage.inputTokens + usage.outputTokens);
