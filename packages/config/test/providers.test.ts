import { describe, expect, it } from "vitest";
import { displayName, findProvider, knownModels, nearestModels, providerOf, providers, resolveApiKey } from "../src/index.js";

describe("providers", () => {
  it("have one name each, and every alias leads to one of them", () => {
    const names = providers.flatMap((entry) => [entry.type, ...entry.aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(providerOf(name.toUpperCase().replaceAll("_", " "))).not.toBeNull();
  });

  it("that have a default model know it", () => {
    for (const entry of providers)
      if (entry.defaultModel !== null && knownModels[entry.type]) expect(knownModels[entry.type]).toContain(entry.defaultModel);
    expect(providers.filter((entry) => entry.modelRequired).map((entry) => entry.type)).toEqual([
      "chatcompletion",
      "openrouter",
      "poe",
      "uitars",
      "lmstudio",
      "vllm",
      "sglang",
      "inference",
      "ollama",
    ]);
  });

  it("that are hosted name at least one variable for their key", () => {
    for (const entry of providers) if (entry.keyNeeded) expect(entry.keyVariables.length, entry.type).toBeGreaterThan(0);
  });
});

describe("the provider of a model", () => {
  it.each([
    ["openai/gpt-5", "openai", "gpt-5", null],
    ["anthropic/claude-opus-4-6", "claude", "claude-opus-4-6", null],
    ["google/gemini-2.5-pro", "gemini", "gemini-2.5-pro", null],
    ["xai/grok-9", "grok", "grok-9", null],
    ["openrouter/vendor/model", "openrouter", "vendor/model", null],
    ["ollama/llama3.2:1b", "ollama", "llama3.2:1b", null],
    ["GPT-4o", "openai", "gpt-4o", null],
    ["meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo", "together", "meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo", null],
    ["accounts/fireworks/models/new", "fireworks", "accounts/fireworks/models/new", null],
    ["gpt-99", "openai", "gpt-99", null],
    ["claude-sonnet-9", "claude", "claude-sonnet-9", null],
    ["kimi-k3", "moonshot", "kimi-k3", null],
    ["qwq-32b", "qwen", "qwq-32b", null],
    ["glm-5", "zai", "glm-5", null],
    ["o3-mini-low", "openai", "o3-mini", "low"],
    ["openai/o4-mini-high", "openai", "o4-mini", "high"],
    ["llama-3.3-70b-versatile", "groq", "llama-3.3-70b-versatile", null],
  ])("%s is %s", (name, type, model, reasoningEffort) => {
    expect(findProvider(name)).toEqual({ type, model, reasoningEffort });
  });

  it.each(["my-finetune", "somebody/some-model", "/x", "openai/", ""])("%j tells nothing", (name) => {
    expect(findProvider(name)).toBeNull();
  });

  it("every known model of a hosted API is found again, unless agents or Azure serve it", () => {
    for (const entry of providers) {
      if (["agent_sdk", "program"].includes(entry.api) || entry.type === "azure_openai") continue;
      for (const model of knownModels[entry.type] ?? [])
        if (!model.includes("/") || providerOf(model.split("/")[0]!) === null) expect(findProvider(model)?.type).toBe(entry.type);
    }
  });

  it("near names are offered, best first", () => {
    expect(nearestModels("gemini-2.5-falsh")[0]).toBe("gemini-2.5-flash");
    expect(nearestModels("nothing like it")).toEqual([]);
  });
});

describe("keys", () => {
  const env = {
    OPENAI_API_KEY: "openai",
    GROQ_API_KEY: "groq",
    GEMINI_API_KEY: "gemini",
    GOOGLE_API_KEY: "",
    NEBIUS_API_KEY: " nebius\n",
    ZAI_API_KEY: "zai",
    DEEPSEEK_API_KEY: "deepseek",
  };
  const chat = (baseUrl: string | null) => resolveApiKey({ type: "chatcompletion", baseUrl }, env);

  it("the backend's own key wins, then the variables in order, empty ones skipped", () => {
    expect(resolveApiKey({ type: "groq", apiKey: "own" }, env)).toEqual({ key: "own", variables: ["GROQ_API_KEY"], needed: true });
    expect(resolveApiKey({ type: "gemini" }, env)).toEqual({
      key: "gemini",
      variables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
      needed: true,
    });
    expect(resolveApiKey({ type: "grok" }, env)).toEqual({ key: null, variables: ["XAI_API_KEY"], needed: true });
  });

  it.each([
    [null, "openai"],
    ["https://api.openai.com/v1", "openai"],
    ["https://api.groq.com/openai/v1", "groq"],
    ["https://api.studio.nebius.ai/v1", "nebius"],
    ["https://API.Z.AI./api", "zai"],
    ["https://api.deepseek.com", "deepseek"],
    ["https://gateway.example.com/groq.com/v1", "openai"],
    ["https://evilgroq.com/v1", "openai"],
    ["https://groq.com.evil.example/v1", "openai"],
  ])("chatcompletion at %s gets the key of its host: %s", (baseUrl, key) => {
    expect(chat(baseUrl)).toMatchObject({ key, needed: true });
  });

  it.each([
    "http://localhost:8000/v1",
    "http://127.0.0.1/v1",
    "http://127.9.9.9",
    "http://box.local:1/v1",
    "http://10.1.2.3/v1",
    "http://172.16.0.1",
    "http://172.31.9.9",
    "http://192.168.1.5/v1",
    "http://169.254.1.1",
    "http://[::1]:8000/v1",
    "http://[fd00::1]/v1",
    "http://[fe80::1]/",
    "http://0.0.0.0:8000",
    "http://vllm:8000/v1",
  ])("chatcompletion at %s needs none and is offered none", (baseUrl) => {
    expect(chat(baseUrl)).toEqual({ key: null, variables: [], needed: false });
  });

  it.each(["http://172.32.0.1/v1", "http://11.0.0.1/v1", "http://[2001:db8::1]/v1"])("%s is the open internet", (baseUrl) => {
    expect(chat(baseUrl).needed).toBe(true);
  });

  it("local servers take a placeholder, and a key where one is set", () => {
    expect(resolveApiKey({ type: "ollama" }, env)).toEqual({ key: "ollama", variables: [], needed: false });
    expect(resolveApiKey({ type: "vllm" }, env)).toEqual({ key: "EMPTY", variables: ["VLLM_API_KEY"], needed: false });
    expect(resolveApiKey({ type: "vllm" }, { VLLM_API_KEY: "v" }).key).toBe("v");
    expect(resolveApiKey({ type: "claude_code" }, {})).toMatchObject({ key: null, needed: false });
  });

  it("the name on the screen is that of the vendor at the address", () => {
    expect(displayName({ type: "chatcompletion", baseUrl: "https://api.groq.com/x" })).toBe("Groq");
    expect(displayName({ type: "chatcompletion", baseUrl: "http://localhost" })).toBe("ChatCompletion");
    expect(displayName({ type: "kimi" })).toBe("Kimi");
  });
});
