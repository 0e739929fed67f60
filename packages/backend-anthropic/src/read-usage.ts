import { type BilledTokens, costUsd, type ModelPrice } from "@massgen/backend-kit";
import type { Usage } from "@massgen/contracts";
import { asJsonObject } from "./json.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The usage the vendor reported, in one form; `null` when there is none to speak of. Here the input is counted without what
 * was read from the cache or written to it (docs/spec/backends.md 11.8).
 */
export function readUsage(usage: Fields, price: ModelPrice | null): Usage | null {
  const plain = count(usage["input_tokens"]);
  const output = count(usage["output_tokens"]);
  if (plain === null && output === null) return null;
  const cachedTokens = count(usage["cache_read_input_tokens"]) ?? 0;
  const cacheWriteTokens = count(usage["cache_creation_input_tokens"]) ?? 0;
  const tokens: BilledTokens = {
    inputTokens: (plain ?? 0) + cachedTokens + cacheWriteTokens,
    outputTokens: output ?? 0,
    cachedTokens,
    cacheWriteTokens,
  };
  const { inputTokens, outputTokens } = tokens;
  const reasoningTokens = count(asJsonObject(usage["output_tokens_details"])["thinking_tokens"]) ?? 0;
  return { inputTokens, outputTokens, cachedTokens, reasoningTokens, costUsd: costUsd(tokens, price) };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}
