import { addressOf, type Environment, type ProviderEntry, resolveApiKey } from "@massgen/config";

/** How to ask one server which models it has. `headers` may hold a key: never to be shown. */
export interface ModelsRequest {
  readonly url: string;
  /** The address for people: no user, no password, no query. */
  readonly shownUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why a server is not asked, as the end of a sentence. */
export interface NotAsked {
  readonly because: string;
}

export interface ModelsQuestion {
  readonly provider: ProviderEntry;
  /** The user's own address; `null`: the provider's. */
  readonly baseUrl: string | null;
  readonly env: Environment;
}

const GEMINI_ADDRESS = "https://generativelanguage.googleapis.com";
/** More than any vendor has, so that one page is all. */
const PAGE_SIZE = 1000;

/** The request for the list of models of a provider, or why there is none to send. Pure: nothing is sent. */
export function modelsRequest({ provider, baseUrl, env }: ModelsQuestion): ModelsRequest | NotAsked {
  const { api, type } = provider;
  if (api === "agent_sdk" || api === "program" || api === "framework") return { because: "it has no list to ask for" };
  if (type === "azure_openai") return { because: "its models are the deployments of your resource" };
  const { key, needed, variables } = resolveApiKey({ type, baseUrl }, env);
  if (needed && !key) return { because: `there is no key: set ${variables.join(" or ")}` };
  const base = baseUrl ?? addressOf(provider, env) ?? (api === "generate_content" ? GEMINI_ADDRESS : null);
  if (base === null) return { because: "it has no address: add --base-url" };
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    return { because: "its address is none: write it like https://host/v1" };
  return { ...listAddress(new URL(base), api), headers: headersOf(api, key) };
}

function listAddress(base: URL, api: ProviderEntry["api"]): Pick<ModelsRequest, "url" | "shownUrl"> {
  const path = base.pathname.replace(/\/+$/, "");
  const version = api === "generate_content" ? "/v1beta" : "/v1";
  // Addresses of these two are written without the version; one of Chat Completions only when it is nothing but a host.
  const isBare = api === "messages" || api === "generate_content" ? !/\/v\d[a-z\d]*$/.test(path) : path === "";
  const shownUrl = `${base.origin}${path}${isBare ? version : ""}/models`;
  const query = new URLSearchParams(base.search);
  if (api === "messages") query.set("limit", String(PAGE_SIZE));
  if (api === "generate_content") query.set("pageSize", String(PAGE_SIZE));
  return { url: query.size === 0 ? shownUrl : `${shownUrl}?${query}`, shownUrl };
}

function headersOf(api: ProviderEntry["api"], key: string | null): Readonly<Record<string, string>> {
  if (api === "messages") return { "anthropic-version": "2023-06-01", ...(key ? { "x-api-key": key } : {}) };
  if (api === "generate_content") return key ? { "x-goog-api-key": key } : {};
  return key ? { authorization: `Bearer ${key}` } : {};
}

/** The names in a reply of any of the three kinds, sorted; `null` when it is no list of models. */
export function parseModels(reply: unknown): readonly string[] | null {
  const list = Array.isArray(reply) ? reply : isObject(reply) ? (reply["data"] ?? reply["models"]) : null;
  if (!Array.isArray(list)) return null;
  const names = list.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const methods = entry["supportedGenerationMethods"];
    if (Array.isArray(methods) && !methods.includes("generateContent")) return [];
    const name = entry["id"] ?? entry["name"];
    return typeof name === "string" && name !== "" ? [name.replace(/^models\//, "")] : [];
  });
  return [...new Set(names)].toSorted();
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

/** Whether nobody else is asked: an address on loopback. */
export const isOnThisMachine = (url: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
