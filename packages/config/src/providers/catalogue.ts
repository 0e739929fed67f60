/** How a provider is spoken to; docs/spec/config.md 29. */
export type ApiFamily = "responses" | "chat_completions" | "messages" | "generate_content" | "agent_sdk" | "program" | "framework";

export interface ProviderEntry {
  /** The canonical `backend.type`. */
  readonly type: string;
  /** Other spellings of the type that are accepted. */
  readonly aliases: readonly string[];
  /** For people. */
  readonly name: string;
  readonly api: ApiFamily;
  /** Environment variables that may hold the key, in order. `chatcompletion` decides by host instead: `resolveApiKey`. */
  readonly keyVariables: readonly string[];
  /** False when it works without a key: a local server, or a program with a login of its own. */
  readonly keyNeeded: boolean;
  /** What to send when there is no key but the API wants some text. */
  readonly placeholderKey: string | null;
  /** `null`: from `endpointVariable`, from `backend.base_url`, or the business of the vendor's SDK. */
  readonly baseUrl: string | null;
  /** Environment variable with the address, for services without a common one. */
  readonly endpointVariable: string | null;
  readonly modelRequired: boolean;
  /** Used when the config names no model. */
  readonly defaultModel: string | null;
  /** Runs on the user's own machine or network. */
  readonly local: boolean;
}

type Given = Pick<ProviderEntry, "type" | "name" | "api"> & Partial<ProviderEntry>;

const provider = (given: Given): ProviderEntry => ({
  aliases: [],
  keyVariables: [],
  keyNeeded: true,
  placeholderKey: null,
  baseUrl: null,
  endpointVariable: null,
  modelRequired: given.defaultModel === undefined,
  defaultModel: null,
  local: false,
  ...given,
});

const hosted = (
  type: string,
  name: string,
  keyVariables: readonly string[],
  baseUrl: string,
  defaultModel: string,
  aliases: readonly string[] = [],
): ProviderEntry => provider({ type, name, api: "chat_completions", keyVariables, baseUrl, defaultModel, aliases });

const local = (type: string, name: string, more: Partial<ProviderEntry>): ProviderEntry =>
  provider({ type, name, api: "chat_completions", keyNeeded: false, local: true, ...more });

/** Every provider type a config may name, in the order in which they are listed. Whether an adapter is at hand is decided elsewhere. */
export const providers: readonly ProviderEntry[] = [
  provider({
    type: "openai",
    name: "OpenAI",
    api: "responses",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-5.4",
  }),
  provider({
    type: "azure_openai",
    aliases: ["azure"],
    name: "Azure OpenAI",
    api: "chat_completions",
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    endpointVariable: "AZURE_OPENAI_ENDPOINT",
    defaultModel: "gpt-4o",
  }),
  provider({
    type: "claude",
    aliases: ["anthropic"],
    name: "Claude",
    api: "messages",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseUrl: "https://api.anthropic.com",
    defaultModel: "claude-opus-4-6",
  }),
  provider({
    type: "claude_code",
    name: "Claude Code",
    api: "agent_sdk",
    keyVariables: ["CLAUDE_CODE_API_KEY", "ANTHROPIC_API_KEY"],
    keyNeeded: false,
    defaultModel: "claude-opus-4-6",
  }),
  provider({
    type: "gemini",
    aliases: ["google"],
    name: "Gemini",
    api: "generate_content",
    keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    defaultModel: "gemini-3-flash-preview",
  }),
  provider({
    type: "grok",
    aliases: ["xai"],
    name: "Grok",
    api: "responses",
    keyVariables: ["XAI_API_KEY"],
    baseUrl: "https://api.x.ai/v1",
    defaultModel: "grok-4.20-0309-reasoning",
  }),
  provider({
    type: "chatcompletion",
    name: "ChatCompletion",
    api: "chat_completions",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrl: "https://api.openai.com/v1",
  }),
  hosted("cerebras", "Cerebras AI", ["CEREBRAS_API_KEY"], "https://api.cerebras.ai/v1", "llama-3.3-70b"),
  hosted("together", "Together AI", ["TOGETHER_API_KEY"], "https://api.together.xyz/v1", "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8"),
  hosted(
    "fireworks",
    "Fireworks AI",
    ["FIREWORKS_API_KEY"],
    "https://api.fireworks.ai/inference/v1",
    "accounts/fireworks/models/llama-v3p3-70b-instruct",
  ),
  hosted("groq", "Groq", ["GROQ_API_KEY"], "https://api.groq.com/openai/v1", "llama-3.3-70b-versatile"),
  provider({
    type: "openrouter",
    name: "OpenRouter",
    api: "chat_completions",
    keyVariables: ["OPENROUTER_API_KEY"],
    baseUrl: "https://openrouter.ai/api/v1",
  }),
  hosted("moonshot", "Kimi", ["MOONSHOT_API_KEY", "KIMI_API_KEY"], "https://api.moonshot.cn/v1", "moonshot-v1-128k", ["kimi"]),
  hosted("nebius", "Nebius AI Studio", ["NEBIUS_API_KEY"], "https://api.studio.nebius.ai/v1", "Qwen/Qwen3-4B-fast"),
  provider({ type: "poe", name: "POE", api: "chat_completions", keyVariables: ["POE_API_KEY"], baseUrl: "https://api.poe.com/v1" }),
  hosted("qwen", "Qwen", ["QWEN_API_KEY", "DASHSCOPE_API_KEY"], "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen-max"),
  hosted("zai", "ZAI", ["ZAI_API_KEY"], "https://api.z.ai/api/paas/v4/", "glm-4.5"),
  hosted("nvidia_nim", "Nvidia NIM", ["NGC_API_KEY", "NVIDIA_API_KEY"], "https://integrate.api.nvidia.com/v1", "moonshotai/kimi-k2.5", [
    "nvidia",
    "nim",
  ]),
  provider({
    type: "uitars",
    name: "UI-TARS",
    api: "chat_completions",
    keyVariables: ["UI_TARS_API_KEY"],
    endpointVariable: "UI_TARS_ENDPOINT",
  }),
  local("lmstudio", "LM Studio", { baseUrl: "http://localhost:1234/v1", placeholderKey: "lm-studio" }),
  local("vllm", "vLLM", { baseUrl: "http://localhost:8000/v1", keyVariables: ["VLLM_API_KEY"], placeholderKey: "EMPTY" }),
  local("sglang", "SGLang", { baseUrl: "http://localhost:30000/v1", keyVariables: ["SGLANG_API_KEY"], placeholderKey: "EMPTY" }),
  local("inference", "vLLM/SGLang", { keyVariables: ["VLLM_API_KEY"], placeholderKey: "EMPTY" }),
  local("ollama", "Ollama", { baseUrl: "http://localhost:11434/v1", placeholderKey: "ollama" }),
  provider({ type: "ag2", name: "AG2", api: "framework", keyNeeded: false, modelRequired: false }),
  provider({ type: "codex", name: "Codex", api: "program", keyVariables: ["OPENAI_API_KEY"], keyNeeded: false, defaultModel: "gpt-5.4" }),
  provider({
    type: "gemini_cli",
    name: "Gemini CLI",
    api: "program",
    keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    keyNeeded: false,
    defaultModel: "gemini-3.1-pro-preview",
  }),
  provider({
    type: "antigravity_cli",
    name: "Antigravity CLI",
    api: "program",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyNeeded: false,
    defaultModel: "gemini-3.5-flash",
  }),
  provider({ type: "copilot", name: "GitHub Copilot", api: "agent_sdk", keyNeeded: false, defaultModel: "gpt-5-mini" }),
];

const byName: ReadonlyMap<string, ProviderEntry> = new Map(
  providers.flatMap((entry) => [entry.type, ...entry.aliases].map((name) => [name, entry] as const)),
);

/** The provider a type names, whatever its case and its spaces or dashes: `Claude Code`, `kimi`; `null` when there is none. */
export function providerOf(type: string): ProviderEntry | null {
  return (
    byName.get(
      type
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, "_"),
    ) ?? null
  );
}

/** Types and aliases, for did-you-mean. */
export const providerNames: readonly string[] = [...byName.keys()];

/** Programs that keep files where they are started, so that an agent of theirs needs a folder of its own. */
export const worksInFolder = (type: string): boolean => type === "claude_code" || type === "codex";
