import type { BackendCapabilities } from "@massgen/contracts";

/** Which values of `tool_choice` the API takes besides leaving it out. */
export type ToolChoiceSupport = "all" | "no_named" | "auto_and_none" | "auto_only";

/** What is particular about one vendor of this API. */
export interface Preset {
  /** The name people know. */
  readonly name: string;
  /** `null`: the user gives the address. */
  readonly baseUrl: string | null;
  /** Hosts of this vendor, for a type that only gives an address; a sub-domain of one of them counts. */
  readonly hosts: readonly string[];
  /** A server on the user's own machine: no key, no cost. `start`: a sentence that says how to start it. */
  readonly local: { readonly placeholderKey: string; readonly start: string } | null;
  readonly dialect: "plain" | "openai" | "openrouter" | "qwen" | "azure";
  readonly toolChoice: ToolChoiceSupport;
  readonly parallelToolCalls: boolean;
  readonly input: BackendCapabilities["input"];
}

const vendor: Preset = {
  name: "ChatCompletion",
  baseUrl: null,
  hosts: [],
  local: null,
  dialect: "plain",
  toolChoice: "all",
  parallelToolCalls: true,
  input: ["text", "image"],
};

/** Every provider type that speaks Chat Completions (docs/spec/backends.md 2). Which variable holds a key is not known here. */
export const presets: Readonly<Record<string, Preset>> = {
  chatcompletion: { ...vendor, baseUrl: "https://api.openai.com/v1" },
  azure_openai: { ...vendor, name: "Azure OpenAI", hosts: ["openai.azure.com"], dialect: "azure" },
  cerebras: { ...vendor, name: "Cerebras AI", baseUrl: "https://api.cerebras.ai/v1", hosts: ["cerebras.ai"] },
  together: { ...vendor, name: "Together AI", baseUrl: "https://api.together.xyz/v1", hosts: ["together.xyz", "together.ai"] },
  fireworks: { ...vendor, name: "Fireworks AI", baseUrl: "https://api.fireworks.ai/inference/v1", hosts: ["fireworks.ai"] },
  groq: { ...vendor, name: "Groq", baseUrl: "https://api.groq.com/openai/v1", hosts: ["groq.com"] },
  openrouter: {
    ...vendor,
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    hosts: ["openrouter.ai"],
    dialect: "openrouter",
    input: ["text", "image", "audio", "video", "pdf"],
  },
  // Kimi thinks, and refuses a forced tool then (seen 2026-07).
  moonshot: {
    ...vendor,
    name: "Kimi (Moonshot AI)",
    baseUrl: "https://api.moonshot.cn/v1",
    hosts: ["moonshot.ai", "moonshot.cn"],
    toolChoice: "auto_and_none",
  },
  nebius: { ...vendor, name: "Nebius AI Studio", baseUrl: "https://api.studio.nebius.ai/v1", hosts: ["nebius.com", "nebius.ai"] },
  poe: { ...vendor, name: "Poe", baseUrl: "https://api.poe.com/v1", hosts: ["poe.com"], toolChoice: "auto_only" },
  // "tool_choice is one of the strings that should be ["none", "auto"]" (seen 2025-03).
  qwen: {
    ...vendor,
    name: "Qwen (Alibaba Cloud)",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    hosts: ["aliyuncs.com"],
    dialect: "qwen",
    toolChoice: "auto_and_none",
    input: ["text", "image", "audio", "video"],
  },
  // "Tool choice must be auto" (seen 2026-09).
  zai: { ...vendor, name: "Z.AI", baseUrl: "https://api.z.ai/api/paas/v4", hosts: ["z.ai", "bigmodel.cn"], toolChoice: "auto_only" },
  nvidia_nim: { ...vendor, name: "NVIDIA NIM", baseUrl: "https://integrate.api.nvidia.com/v1", hosts: ["nvidia.com"] },
  uitars: { ...vendor, name: "UI-TARS", toolChoice: "auto_only", parallelToolCalls: false },
  lmstudio: {
    ...vendor,
    name: "LM Studio",
    baseUrl: "http://localhost:1234/v1",
    local: { placeholderKey: "lm-studio", start: "Start it in its Developer tab, or with `lms server start`." },
    // Takes "required" but no object that names a function (seen 2026-02).
    toolChoice: "no_named",
  },
  vllm: {
    ...vendor,
    name: "vLLM",
    baseUrl: "http://localhost:8000/v1",
    local: { placeholderKey: "EMPTY", start: "Start it with `vllm serve <model>`." },
  },
  sglang: {
    ...vendor,
    name: "SGLang",
    baseUrl: "http://localhost:30000/v1",
    local: { placeholderKey: "EMPTY", start: "Start it with `python -m sglang.launch_server --model-path <model>`." },
  },
  inference: { ...vendor, name: "vLLM/SGLang", local: { placeholderKey: "EMPTY", start: "Start it with `vllm serve <model>`." } },
  ollama: {
    ...vendor,
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    local: { placeholderKey: "ollama", start: "Start it with `ollama serve`." },
    // The field is accepted and without effect.
    toolChoice: "auto_only",
  },
};

/** Vendors that are known by their host only. */
const byHostOnly: readonly Preset[] = [
  { ...vendor, name: "OpenAI", hosts: ["openai.com"], dialect: "openai" },
  { ...vendor, name: "DeepSeek", hosts: ["deepseek.com"], input: ["text"] },
];

/** The vendor a host belongs to, compared by the labels of its name; `null` for a host nobody knows. */
export function presetOfHost(host: string): Preset | null {
  const name = host.toLowerCase();
  const known = [...Object.values(presets), ...byHostOnly];
  return known.find(({ hosts }) => hosts.some((own) => name === own || name.endsWith(`.${own}`))) ?? null;
}
