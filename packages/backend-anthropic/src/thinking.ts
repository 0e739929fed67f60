import type { JsonValue } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import type { ModelTraits } from "./models.js";

type Params = Readonly<Record<string, JsonValue>>;

export interface ThinkingFields {
  /** `thinking` of the body; `null` leaves it to the model. */
  readonly thinking: JsonObject | null;
  /** `output_config.effort`; `null` leaves it to the model. */
  readonly effort: string | null;
  readonly warnings: readonly string[];
}

const SMALLEST_BUDGET = 1024;
/** For models that know no effort: tokens to think with. */
const BUDGETS: Readonly<Record<string, number>> = { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 24_576, max: 28_672 };

/**
 * `thinking` as the user wrote it, or what `reasoning` of other vendors comes to with this model (docs/spec/backends.md 11.1).
 * A budget always leaves room for an answer below `limit`, the tokens of the whole response.
 */
export function thinkingFields(params: Params, traits: ModelTraits, limit: number): ThinkingFields {
  const reasoning = isObject(params["reasoning"]) ? params["reasoning"] : {};
  const effort = typeof reasoning["effort"] === "string" ? reasoning["effort"] : null;
  const written = writtenThinking(params["thinking"], traits) ?? impliedThinking(reasoning, effort, traits);
  const fitted = fitBudget(written, limit);
  const knownEffort = effort !== null && effort !== "none" && traits.effort ? effort : null;
  return {
    thinking: fitted,
    effort: knownEffort === "minimal" ? "low" : knownEffort,
    warnings: fitted === written ? [] : [budgetWarning(written, fitted, limit)],
  };
}

/** Whether the model thinks in this request, as far as the request says so. */
export function thinks(thinking: JsonObject | null): boolean {
  return thinking !== null && thinking["type"] !== "disabled";
}

function writtenThinking(value: JsonValue | undefined, traits: ModelTraits): JsonObject | null {
  if (isObject(value)) return value as JsonObject;
  if (value === true) return startThinking("high", traits);
  return value === false ? { type: "disabled" } : null;
}

function impliedThinking(reasoning: { readonly [key: string]: unknown }, effort: string | null, traits: ModelTraits): JsonObject | null {
  const budget = reasoning["budget_tokens"] ?? reasoning["max_tokens"];
  if (effort === "none" || reasoning["enabled"] === false || reasoning["type"] === "disabled") return { type: "disabled" };
  if (typeof budget === "number") return { type: "enabled", budget_tokens: budget };
  if (reasoning["type"] === "adaptive") return { type: "adaptive" };
  if (reasoning["type"] === "enabled") return { type: "enabled", budget_tokens: BUDGETS[effort ?? "high"] ?? BUDGETS["high"]! };
  return effort === null && reasoning["enabled"] !== true ? null : startThinking(effort ?? "high", traits);
}

function startThinking(effort: string, traits: ModelTraits): JsonObject {
  return traits.adaptiveThinking ? { type: "adaptive" } : { type: "enabled", budget_tokens: BUDGETS[effort] ?? BUDGETS["high"]! };
}

function fitBudget(thinking: JsonObject | null, limit: number): JsonObject | null {
  const budget = thinking?.["budget_tokens"];
  if (thinking === null || typeof budget !== "number") return thinking;
  // Half of a small limit and all but a thousand tokens of a large one may be thoughts.
  const most = Math.max(Math.floor(limit / 2), limit - 4096);
  if (most < SMALLEST_BUDGET) return null;
  const fitted = Math.min(Math.max(budget, SMALLEST_BUDGET), most);
  return fitted === budget ? thinking : { ...thinking, budget_tokens: fitted };
}

function budgetWarning(written: JsonObject | null, fitted: JsonObject | null, limit: number): string {
  const wanted = `The model was to think with ${String(written?.["budget_tokens"])} tokens`;
  if (fitted === null) return `${wanted}, which do not fit into max_tokens (${limit}); it does not think.`;
  return `${wanted}; with max_tokens ${limit} it thinks with ${String(fitted["budget_tokens"])}.`;
}
