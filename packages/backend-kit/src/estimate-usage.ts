import type { Part, TurnRequest, Usage } from "@massgen/contracts";
import { costUsd, type ModelPrice } from "./prices.js";
import { estimatePartTokens, estimateRequestTokens } from "./usage.js";

/**
 * The usage of a turn whose vendor told none, from its texts (docs/spec/backends.md 24.2). `parts`: everything the model
 * wrote, also what was cut off and left out of the message.
 */
export function estimateUsage({ messages, tools }: TurnRequest, parts: readonly Part[], price: ModelPrice | null): Usage {
  const tokens = { inputTokens: estimateRequestTokens(messages, tools), outputTokens: estimatePartTokens(parts), cachedTokens: 0 };
  const reasoningTokens = estimatePartTokens(parts.filter((part) => part.type === "reasoning"));
  return { ...tokens, reasoningTokens, costUsd: costUsd(tokens, price), estimated: true };
}
