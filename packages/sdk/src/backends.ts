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

const chatCompletions = async (): Promise<CreateBackend> => {
  const { createChatCompletions } = await import("@massgen/backend-chat-completions");
  return (order) => createChatCompletions(chatCompletionsOptions(order));
};

/** The adapter of each API, loaded when the first agent needs it. A new one is one line here. */
const adapters: Partial<Readonly<Record<ApiFamily, () => Promise<CreateBackend>>>> = {
  chat_completions: chatCompletions,
  // OpenAI and xAI serve all their models over Chat Completions too; an adapter for Responses will take this place.
  responses: async () => {
    const create = await chatCompletions();
    return (order) => {
      const provider = providerOf(order.config.type);
      const config = { ...order.config, type: "chatcompletion", providerName: order.config.providerName ?? provider?.name ?? null };
      return {
        ...create({ ...order, config: { ...config, baseUrl: config.baseUrl ?? provider?.baseUrl ?? null } }),
        id: order.config.type,
      };
    };
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
  const address = CHAT_ADDRESSES[provider.type];
  const hint =
    address === undefined
      ? "Types that work today: openai, grok and all that speak Chat Completions, such as chatcompletion with a base_url, groq, openrouter, ollama."
      : `${provider.name} speaks Chat Completions too: until then use the type chatcompletion with base_url ${address} and api_key: \${${provider.keyVariables[0]}}.`;
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

/** Where vendors with an API of their own answer in the common one. */
const CHAT_ADDRESSES: Readonly<Record<string, string>> = {
  claude: "https://api.anthropic.com/v1",
  gemini: "https://generativelanguage.googleapis.com/v1beta/openai",
};

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
