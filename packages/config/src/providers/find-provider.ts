import { nearest } from "../nearest.js";
import { providerOf, providers } from "./catalogue.js";
import { knownModels, modelPrefixes } from "./models.js";

export interface FoundModel {
  readonly type: string;
  readonly model: string;
  /** From a suffix of the name: `o3-high`. */
  readonly reasoningEffort: "low" | "medium" | "high" | null;
}

/** Models with a rate of thinking in their name; the vendor knows them without it. */
const withEffort = /^(o3|o3-mini|o4-mini)-(low|medium|high)$/;

/** Who serves a model, first one in the order of `providers`. Agent runtimes serve models of others and are never guessed. */
const byModel: ReadonlyMap<string, { readonly type: string; readonly model: string }> = new Map(
  providers
    .filter((entry) => entry.api !== "agent_sdk" && entry.api !== "program" && entry.type !== "azure_openai")
    .flatMap((entry) => (knownModels[entry.type] ?? []).map((model) => [model.toLowerCase(), { type: entry.type, model }] as const))
    .toReversed(),
);

/**
 * The provider and model a name stands for: `provider/model`, a known name, or a telling prefix; `null` when none of these helps.
 * `openrouter/vendor/model` keeps `vendor/model`.
 *
 * @example
 * findProvider("anthropic/claude-opus-4-6") // => { type: "claude", model: "claude-opus-4-6", reasoningEffort: null }
 * findProvider("o3-high") // => { type: "openai", model: "o3", reasoningEffort: "high" }
 */
export function findProvider(modelName: string): FoundModel | null {
  const name = modelName.trim();
  const slash = name.indexOf("/");
  const named = slash > 0 ? providerOf(name.slice(0, slash)) : null;
  const rest = name.slice(slash + 1);
  // Groq serves `openai/gpt-oss-120b`, but whoever writes a provider's name first means the provider.
  if (named !== null && rest !== "") return withoutEffort(named.type, rest);
  const listed = byModel.get(name.toLowerCase());
  if (listed !== undefined) return { ...listed, reasoningEffort: null };
  const prefixed = modelPrefixes.find(([prefix]) => name.toLowerCase().startsWith(prefix));
  return prefixed === undefined ? null : withoutEffort(prefixed[1], name);
}

function withoutEffort(type: string, model: string): FoundModel {
  const match = type === "openai" ? withEffort.exec(model) : null;
  if (match === null) return { type, model, reasoningEffort: null };
  return { type, model: match[1]!, reasoningEffort: match[2] as "low" | "medium" | "high" };
}

/** Known model names close to this one, best first, at most three. */
export function nearestModels(modelName: string): readonly string[] {
  return nearest(modelName, new Set(Object.values(knownModels).flat()), 3);
}
