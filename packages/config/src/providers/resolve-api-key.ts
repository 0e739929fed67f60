import { type Environment, variableIn } from "../expand.js";
import { providerOf } from "./catalogue.js";
import { hostOf, hosts, isPrivateHost } from "./hosts.js";

export interface ResolvedKey {
  /** The key, or the text the server wants in its place; `null` when there is none. Never log it. */
  readonly key: string | null;
  /** Environment variables that are looked at, in order; empty when none would be. */
  readonly variables: readonly string[];
  /** True when the backend cannot work without a key: then `key: null` is a reason not to start. */
  readonly needed: boolean;
}

export interface KeyQuestion {
  readonly type: string;
  readonly apiKey?: string | null;
  readonly baseUrl?: string | null;
}

/**
 * The key of a backend: its own `api_key`, else the first of the provider's variables that is set and not empty.
 * `chatcompletion` asks by the host of its address, so that the key of one vendor is not offered to another.
 */
export function resolveApiKey(backend: KeyQuestion, env: Environment): ResolvedKey {
  const { variables, needed, placeholder } = keyRules(backend);
  if (backend.apiKey) return { key: backend.apiKey, variables, needed };
  for (const name of variables) {
    const key = variableIn(env, name);
    if (key !== null) return { key: key.trim(), variables, needed };
  }
  return { key: placeholder, variables, needed };
}

function keyRules({ type, baseUrl }: KeyQuestion): {
  readonly variables: readonly string[];
  readonly needed: boolean;
  readonly placeholder: string | null;
} {
  const provider = providerOf(type);
  if (provider === null) return { variables: [], needed: false, placeholder: null };
  const host = provider.type === "chatcompletion" && baseUrl ? hostOf(baseUrl) : null;
  if (host === null) return { variables: provider.keyVariables, needed: provider.keyNeeded, placeholder: provider.placeholderKey };
  if (isPrivateHost(host)) return { variables: [], needed: false, placeholder: null };
  return { variables: vendorAt(host)?.keyVariables ?? provider.keyVariables, needed: true, placeholder: null };
}

/** Who is spoken to, for people: the vendor at the address for `chatcompletion`, else the provider's name. */
export function displayName({ type, baseUrl }: KeyQuestion): string {
  const provider = providerOf(type);
  const host = provider?.type === "chatcompletion" && baseUrl ? hostOf(baseUrl) : null;
  return (host === null ? null : vendorAt(host)?.name) ?? provider?.name ?? type;
}

function vendorAt(host: string): (typeof hosts)[number] | null {
  return hosts.find(({ domains }) => domains.some((domain) => host === domain || host.endsWith(`.${domain}`))) ?? null;
}
