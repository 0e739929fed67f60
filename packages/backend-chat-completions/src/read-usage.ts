import { type BilledTokens, costUsd, type ModelPrice } from "@massgen/backend-kit";
import type { Usage } from "@massgen/contracts";
import { isObject } from "./json.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The usage a vendor reported, in one form; `null` when there is none to speak of. Input includes cached tokens and output
 * includes reasoning. A cost the vendor reports itself wins over the price table (docs/spec/backends.md 24).
 */
export function readUsage(usage: Fields | null, price: ModelPrice | null): Usage | null {
  if (usage === null) return null;
  const prompt = count(usage["prompt_tokens"]);
  const completion = count(usage["completion_tokens"]);
  if (prompt === null && completion === null) return null;
  const inputDetails = fieldsOf(usage["prompt_tokens_details"]);
  const reasoning = count(fieldsOf(usage["completion_tokens_details"])["reasoning_tokens"]) ?? 0;
  const inputTokens = prompt ?? 0;
  const output = completion ?? 0;
  const tokens: BilledTokens = {
    inputTokens,
    // Some vendors count reasoning beside the completion; their total tells.
    outputTokens: reasoning > 0 && count(usage["total_tokens"]) === inputTokens + output + reasoning ? output + reasoning : output,
    cachedTokens: count(inputDetails["cached_tokens"]) ?? count(usage["prompt_cache_hit_tokens"]) ?? count(usage["cached_tokens"]) ?? 0,
    cacheWriteTokens: count(inputDetails["cache_write_tokens"]) ?? 0,
  };
  const reported = usage["cost"];
  return {
    inputTokens,
    outputTokens: tokens.outputTokens,
    cachedTokens: tokens.cachedTokens,
    reasoningTokens: reasoning,
    costUsd: typeof reported === "number" && Number.isFinite(reported) && reported >= 0 ? reported : costUsd(tokens, price),
  };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
