import { addressOf, type Environment, knownModels, listProviders, type ProviderEntry, providers } from "@massgen/config";
import type { Ask } from "../listings/ask-models.js";
import { isOnThisMachine, modelsRequest } from "../listings/models-request.js";

/** A provider that can be asked from here, now. Never holds a key. */
export interface ReadyProvider {
  readonly type: string;
  readonly name: string;
  /** The variable with its key, or where it runs. */
  readonly because: string;
  readonly local: boolean;
  /** Models to start with, best first; at least one. */
  readonly starters: readonly string[];
  /** All that are known by name. */
  readonly models: readonly string[];
}

export interface ReadyPlaces {
  readonly env: Environment;
  readonly isSupported: (type: string) => boolean;
  readonly ask: Ask;
}

/** A server on this machine answers at once or not at all. */
const LOCAL_LIMIT_MS = 1_500;

/** Who comes first where nobody chooses; the others follow in the order of the catalogue, local servers last. */
const PREFERRED = ["openai", "claude", "gemini", "grok", "openrouter"];

/** Providers without a default model of their own, whose names of models are known to work. */
const STARTERS: Readonly<Record<string, readonly string[]>> = {
  openrouter: ["openai/gpt-5-mini", "anthropic/claude-sonnet-4.5", "google/gemini-2.5-flash"],
};

/** Who can be asked: providers whose key is set, and servers on this machine that answer with a model. In order of preference. */
export async function findReady(places: ReadyPlaces): Promise<readonly ReadyProvider[]> {
  const { env, isSupported } = places;
  const rows = new Map(listProviders(env, isSupported).map((row) => [row.type, row]));
  const withKey = providers.flatMap((provider): readonly ReadyProvider[] => {
    const row = rows.get(provider.type);
    // `chatcompletion` shares the key of OpenAI and is no choice of its own.
    if (row?.key !== "set" || !row.supported || provider.local || provider.type === "chatcompletion") return [];
    if (provider.endpointVariable !== null && addressOf(provider, env) === null) return [];
    const starters = STARTERS[provider.type] ?? (provider.defaultModel === null ? [] : [provider.defaultModel]);
    const variable = provider.keyVariables.find((name) => (env[name] ?? "").trim() !== "") ?? "";
    const models = [...new Set([...starters, ...(knownModels[provider.type] ?? [])])];
    return starters.length === 0 ? [] : [{ type: provider.type, name: provider.name, because: variable, local: false, starters, models }];
  });
  const servers = await Promise.all(
    providers.filter(({ local, type }) => local && rows.get(type)?.supported).map((one) => askServer(one, places)),
  );
  const rank = ({ type }: ReadyProvider): number => (PREFERRED.includes(type) ? PREFERRED.indexOf(type) : PREFERRED.length);
  return [...withKey.toSorted((a, b) => rank(a) - rank(b)), ...servers.filter((server) => server !== null)];
}

/** `null`: nobody answers there, or without a model. */
async function askServer(provider: ProviderEntry, { env, ask }: ReadyPlaces): Promise<ReadyProvider | null> {
  const request = modelsRequest({ provider, baseUrl: null, env });
  if ("because" in request || !isOnThisMachine(request.url)) return null;
  const answer = await ask(request, LOCAL_LIMIT_MS);
  if ("because" in answer || answer.models.length === 0) return null;
  const { type, name } = provider;
  return { type, name, because: `runs at ${new URL(request.shownUrl).host}`, local: true, starters: answer.models, models: answer.models };
}
