import type { JsonValue } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import { isPro, type ModelFacts } from "./model-facts.js";

type Params = Readonly<Record<string, JsonValue>>;

/** Tokens of thought, as Google's own table for reasoning efforts has them. */
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
const LEVELS: Readonly<Record<string, string>> = {
  none: "MINIMAL",
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};
/** The least a large model of the 2.5 generation thinks. */
const LEAST_PRO_BUDGET = 128;

/**
 * `thinkingConfig`, `null` for none: thoughts are shown by models that think, their depth is `reasoning.effort`, and what the
 * user wrote as `thinking_config`, `thinking` or `include_thoughts` wins (docs/spec/backends.md 12.1).
 */
export function thinkingConfig(params: Params, model: string, { thinking }: ModelFacts): JsonObject | null {
  const written = { ...fieldsOf(params["thinking"]), ...fieldsOf(params["thinking_config"]) };
  const hasDepth = "thinkingBudget" in written || "thinkingLevel" in written;
  const depth = hasDepth ? {} : depthOf(params["reasoning"], model, thinking);
  const shown = typeof params["include_thoughts"] === "boolean" ? params["include_thoughts"] : params["thinking"];
  const config: JsonObject = {
    ...(thinking === "none" ? {} : { includeThoughts: depth["thinkingBudget"] !== 0 && written["thinkingBudget"] !== 0 }),
    ...depth,
    ...written,
    ...(typeof shown === "boolean" ? { includeThoughts: shown } : {}),
  };
  return Object.keys(config).length === 0 ? null : config;
}

function depthOf(reasoning: JsonValue | undefined, model: string, thinking: ModelFacts["thinking"]): JsonObject {
  if (!isObject(reasoning) || thinking === "none") return {};
  const budget = reasoning["budget_tokens"] ?? reasoning["max_tokens"];
  if (typeof budget === "number") return { thinkingBudget: budget };
  const effort = reasoning["enabled"] === false || reasoning["type"] === "disabled" ? "none" : reasoning["effort"];
  if (typeof effort !== "string") return {};
  if (thinking === "budget") {
    const tokens = BUDGETS[effort];
    return tokens === undefined ? {} : { thinkingBudget: isPro(model) ? Math.max(tokens, LEAST_PRO_BUDGET) : tokens };
  }
  const level = LEVELS[effort];
  return level === undefined ? {} : { thinkingLevel: level === "MINIMAL" && isPro(model) ? "LOW" : level };
}

function fieldsOf(value: JsonValue | undefined): Record<string, JsonValue> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, inner]) => [camelCase(key), inner]));
}

/** @example camelCase("top_k") // => "topK" */
export function camelCase(key: string): string {
  return key.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
