import type { Environment } from "../expand.js";
import { type ProviderEntry, providers } from "../providers/catalogue.js";
import { resolveApiKey } from "../providers/resolve-api-key.js";

/** `set` and `missing` speak of the variables; `optional`: works without, and there is none; `none`: there is no key. */
type KeyState = "set" | "missing" | "optional" | "none";

/** A provider as a person chooses one. Never holds a key. */
export interface ProviderRow {
  readonly type: string;
  readonly aliases: readonly string[];
  readonly name: string;
  readonly defaultModel: string | null;
  /** Environment variables that may hold the key, in the order in which they are looked at. */
  readonly keyVariables: readonly string[];
  readonly key: KeyState;
  readonly local: boolean;
  /** Whether an agent of this type can run today. */
  readonly supported: boolean;
}

/** Every provider type there is, in the order of the catalogue. */
export function listProviders(env: Environment, isSupported: (type: string) => boolean): readonly ProviderRow[] {
  return providers.map((provider) => ({
    type: provider.type,
    aliases: provider.aliases,
    name: provider.name,
    defaultModel: provider.defaultModel,
    keyVariables: provider.keyVariables,
    key: keyState(provider, env),
    local: provider.local,
    supported: isSupported(provider.type),
  }));
}

function keyState({ type, keyVariables, keyNeeded, placeholderKey }: ProviderEntry, env: Environment): KeyState {
  if (keyVariables.length === 0) return keyNeeded ? "missing" : "none";
  const { key } = resolveApiKey({ type }, env);
  if (key !== null && key !== "" && key !== placeholderKey) return "set";
  return keyNeeded ? "missing" : "optional";
}
