import { costUsd, type ModelPrice } from "@massgen/backend-kit";
import type { Usage } from "@massgen/contracts";
import { type Fields, isObject } from "./json.js";

/**
 * The usage a vendor reported, in one form; `null` when there is none to speak of. Input includes cached and written
 * tokens and output includes reasoning. A cost the vendor reports itself wins over the price table (docs/spec/backends.md 24).
 */
export function readUsage(usage: unknown, price: ModelPrice | null): Usage | null {
  if (!isObject(usage)) return null;
  const input = count(usage["input_tokens"]);
  const output = count(usage["output_tokens"]);
  if (input === null && output === null) return null;
  const inputDetails = fieldsOf(usage["input_tokens_details"]);
  const reasoningTokens = count(fieldsOf(usage["output_tokens_details"])["reasoning_tokens"]) ?? 0;
  const inputTokens = input ?? 0;
  const visible = output ?? 0;
  // Some vendors count reasoning beside the output; their total tells.
  const isBeside = reasoningTokens > 0 && count(usage["total_tokens"]) === inputTokens + visible + reasoningTokens;
  const tokens = {
    inputTokens,
    outputTokens: isBeside ? visible + reasoningTokens : visible,
    cachedTokens: count(inputDetails["cached_tokens"]) ?? 0,
  };
  const reported = usage["cost"];
  const isReported = typeof reported === "number" && Number.isFinite(reported) && reported >= 0;
  const cacheWriteTokens = count(inputDetails["cache_write_tokens"]) ?? 0;
  return { ...tokens, reasoningTokens, costUsd: isReported ? reported : costUsd({ ...tokens, cacheWriteTokens }, price) };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
