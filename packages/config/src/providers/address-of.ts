import { type Environment, variableIn } from "../expand.js";
import type { ProviderEntry } from "./catalogue.js";

const OLLAMA_PORT = "11434";

/**
 * Where a provider answers when the config names no address: what its variable says, else its own; `null` when nobody says it.
 * `OLLAMA_HOST` is read as Ollama itself does: `host`, `host:port` or an address; `0.0.0.0` is where it listens, not where it is met.
 */
export function addressOf({ type, baseUrl, endpointVariable }: ProviderEntry, env: Environment): string | null {
  const endpoint = endpointVariable === null ? null : (variableIn(env, endpointVariable)?.trim() ?? null);
  if (endpoint !== null && endpoint !== "") return endpoint;
  return (type === "ollama" ? ollamaAddress(variableIn(env, "OLLAMA_HOST")?.trim() ?? "") : null) ?? baseUrl;
}

function ollamaAddress(host: string): string | null {
  if (host === "") return null;
  const written = /^https?:\/\//.test(host) ? host : `http://${host.startsWith(":") ? `127.0.0.1${host}` : host}`;
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  // An address with a scheme has its scheme's port, a bare host Ollama's.
  if (url.port === "" && written !== host) url.port = OLLAMA_PORT;
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path === "" ? "/v1" : path}`;
}
