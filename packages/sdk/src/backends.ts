import { type ApiFamily, type BackendConfig, type Environment, providerNames, providerOf } from "@massgen/config";
import { type Ambient, type BackendAdapter, type JsonValue, MassgenError } from "@massgen/contracts";

export interface BackendOrder {
  readonly config: BackendConfig;
  /** `null`: the provider works without one. */
  readonly apiKey: string | null;
  /** Variable the key came from, for the vendor's refusal of it; `null` for a key from the config. */
  readonly keyName: string | null;
  readonly env: Environment;
  readonly ambient: Partial<Ambient>;
}

type CreateBackend = (order: BackendOrder) => BackendAdapter;

/** The adapter of each API, loaded when the first agent needs it. A new one is one line here. */
const adapters: Partial<Readonly<Record<ApiFamily, () => Promise<CreateBackend>>>> = {
  chat_completions: async () => {
    const { createChatCompletions } = await import("@massgen/backend-chat-completions");
    return (order) => createChatCompletions(chatCompletionsOptions(order));
  },
};

/** Why no adapter can be made for a provider type; `null` when one can. */
export function whyUnsupported(type: string): MassgenError | null {
  const provider = providerOf(type);
  if (provider === null) {
    return new MassgenError("UNKNOWN_BACKEND", `${JSON.stringify(type)} is no backend type.`, {
      exitCode: 1,
      hint: `Types: ${providerNames.join(", ")}.`,
    });
  }
  if (adapters[provider.api] !== undefined) return null;
  const hint = CHAT_TOO.has(provider.type)
    ? `${provider.name} also speaks Chat Completions: use the type chatcompletion with ${chatAddress(provider.type)} until then.`
    : "Types that work today speak Chat Completions: chatcompletion with a base_url, groq, openrouter, ollama and others.";
  return new MassgenError("NOT_SUPPORTED", `The backend type ${JSON.stringify(type)} is known but not supported yet.`, {
    exitCode: 1,
    hint,
  });
}

/** @throws MassgenError for a type without an adapter, and for options the adapter cannot work with. */
export async function createBackend(order: BackendOrder): Promise<BackendAdapter> {
  const unsupported = whyUnsupported(order.config.type);
  const load = adapters[providerOf(order.config.type)?.api ?? "framework"];
  if (unsupported !== null || load === undefined) throw unsupported;
  const create = await load();
  return create(order);
}

const CHAT_TOO: ReadonlySet<string> = new Set(["openai", "grok", "claude", "gemini"]);
const chatAddress = (type: string): string =>
  ({
    openai: "its key in OPENAI_API_KEY",
    grok: "base_url https://api.x.ai/v1",
    claude: "base_url https://api.anthropic.com/v1",
    gemini: "base_url https://generativelanguage.googleapis.com/v1beta/openai",
  })[type] ?? "its base_url";

type ChatCompletionsOptions = Parameters<typeof import("@massgen/backend-chat-completions")["createChatCompletions"]>[0];

function chatCompletionsOptions({ config, apiKey, keyName, env, ambient }: BackendOrder): ChatCompletionsOptions {
  const provider = providerOf(config.type);
  const endpoint = provider?.endpointVariable == null ? undefined : env[provider.endpointVariable];
  const baseUrl = config.baseUrl ?? (endpoint === "" ? undefined : endpoint) ?? provider?.baseUrl ?? undefined;
  const apiVersion = config.apiVersion ?? (config.type === "azure_openai" ? env["AZURE_OPENAI_API_VERSION"] : undefined);
  return {
    id: config.type,
    model: config.model ?? "",
    maxRetries: config.maxRetries,
    maxIncompleteResponseRetries: config.maxIncompleteResponseRetries,
    params: {
      ...plain(config.params),
      ...(config.extraBody === null ? {} : { extra_body: plain(config.extraBody) }),
      ...(apiVersion ? { api_version: apiVersion } : {}),
      ...(config.deploymentName === null ? {} : { deployment_name: config.deploymentName }),
    },
    ...(config.organization === null ? {} : { headers: { "OpenAI-Organization": config.organization } }),
    ...(apiKey === null ? {} : { apiKey }),
    ...(keyName === null ? {} : { keyName }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(config.providerName === null ? {} : { vendorName: config.providerName }),
    ...(config.timeoutSeconds === null ? {} : { timeoutMs: config.timeoutSeconds * 1000 }),
    ambient,
  };
}

/** Values that came out of YAML are JSON values; the two types only have different names. */
const plain = (values: BackendConfig["params"]): { readonly [key: string]: JsonValue } => values as { readonly [key: string]: JsonValue };
