import { type BilledTokens, costUsd, type ModelPrice } from "@massgen/backend-kit";
import type { Usage } from "@massgen/contracts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The usage Gemini reported, in the form all vendors share; `null` when there is none. Its prompt includes cached tokens; what
 * its own tools read is input too, and thoughts are counted beside the answer and billed as output (docs/spec/backends.md 24.1).
 */
export function readUsage(usage: Fields | null, price: ModelPrice | null): Usage | null {
  if (usage === null) return null;
  const prompt = count(usage["promptTokenCount"]);
  const total = count(usage["totalTokenCount"]);
  if (prompt === null && total === null) return null;
  const thoughts = count(usage["thoughtsTokenCount"]) ?? 0;
  const inputTokens = (prompt ?? 0) + (count(usage["toolUsePromptTokenCount"]) ?? 0);
  const answer = count(usage["candidatesTokenCount"]) ?? Math.max(0, (total ?? 0) - inputTokens - thoughts);
  const tokens: BilledTokens = { inputTokens, outputTokens: answer + thoughts, cachedTokens: count(usage["cachedContentTokenCount"]) ?? 0 };
  return { ...tokens, reasoningTokens: thoughts, costUsd: costUsd(tokens, price) };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}
