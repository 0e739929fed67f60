import { type MassgenConfig, validateConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { buildAgents } from "../src/build-agents.js";

const config = (...backends: readonly Record<string, unknown>[]): MassgenConfig => {
  const loaded = validateConfig({
    agents: backends.map((backend, index) => ({ id: `a${index + 1}`, backend, system_message: `I am ${index + 1}` })),
  });
  if (loaded.config === null) throw new Error(JSON.stringify(loaded.issues));
  return loaded.config;
};
const errorOf = async (promise: Promise<unknown>): Promise<MassgenError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!MassgenError.is(error)) throw new Error(`no MassgenError but ${String(error)}`);
  return error;
};

describe("agents from a config", () => {
  it("have their adapter, their instructions and their limits", async () => {
    const { agents } = await buildAgents(config({ type: "groq", model: "m1", max_tokens: 9 }, { type: "ollama", model: "m2" }), {
      GROQ_API_KEY: "gsk_1234567890",
    });
    expect(agents).toMatchObject([
      { id: "a1", instructions: "I am 1", maxOutputTokens: 9, votingSensitivity: "lenient", backend: { id: "groq", model: "m1" } },
      { id: "a2", instructions: "I am 2", maxOutputTokens: null, backend: { id: "ollama", model: "m2" } },
    ]);
  });

  it("report every missing key at once, with agent, vendor, variable and where a key may stand", async () => {
    const error = await errorOf(
      buildAgents(config({ type: "groq", model: "m" }, { type: "ollama", model: "m" }, { type: "qwen", model: "m" }), {
        GROQ_API_KEY: "  ",
      }),
    );
    expect(error).toMatchObject({ code: "MISSING_API_KEY", exitCode: 1 });
    expect(error.message).toBe(
      'Agent "a1" (Groq) needs an API key: set GROQ_API_KEY.\nAgent "a3" (Qwen) needs an API key: set QWEN_API_KEY or DASHSCOPE_API_KEY.',
    );
    expect(error.hint).toContain("./.env");
  });

  it("name every agent whose provider has no address but its user's own, and the variable to set", async () => {
    const team = config({ type: "azure_openai", model: "m" }, { type: "azure_openai", model: "m", base_url: "https://r.openai.azure.com" });
    const error = await errorOf(buildAgents(team, { AZURE_OPENAI_API_KEY: "k1234567890", AZURE_OPENAI_ENDPOINT: " " }));
    expect(error).toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
    expect(error.message).toBe(
      'Agent "a1" (Azure OpenAI) needs the address of your own endpoint: set AZURE_OPENAI_ENDPOINT or backend.base_url in its config.',
    );
  });

  it("name their keys as secrets, but not the placeholders of local servers", async () => {
    const team = config(
      { type: "groq", model: "m" },
      { type: "lmstudio", model: "m" },
      { type: "vllm", model: "m", api_key: "local-secret-1" },
    );
    expect((await buildAgents(team, { GROQ_API_KEY: "gsk_1234567890" })).secrets).toEqual(["gsk_1234567890", "local-secret-1"]);
  });

  it("reach OpenAI and xAI over Responses, under their own names", async () => {
    const { agents } = await buildAgents(config({ type: "openai", model: "gpt-5-mini" }, { type: "grok", model: "grok-4" }), {
      OPENAI_API_KEY: "sk-1234567890",
      XAI_API_KEY: "xai-1234567890",
    });
    expect(agents.map(({ backend }) => [backend.id, backend.model])).toEqual([
      ["openai", "gpt-5-mini"],
      ["grok", "grok-4"],
    ]);
  });

  it("say of a provider without adapter that it is known, and what works instead", async () => {
    const error = await errorOf(buildAgents(config({ type: "claude_code", model: "claude-opus-4-6", cwd: "work" }), {}));
    expect(error).toMatchObject({
      code: "NOT_SUPPORTED",
      exitCode: 1,
      message: 'The backend type "claude_code" is known but not supported yet.',
    });
    expect(error.hint).toContain("chatcompletion");
  });
});
