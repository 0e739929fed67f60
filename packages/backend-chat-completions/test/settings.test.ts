import type { Message } from "@massgen/contracts";
import { testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { type ChatCompletionsOptions, createChatCompletions } from "../src/index.js";
import { resolveSettings } from "../src/options.js";
import { bodyOf } from "./build-body.js";
import { collect, deskTools, turnRequest } from "./turns.js";
import { brokenRules } from "./vendor-rules.js";

describe("the vendor behind a type or an address", () => {
  const settings = (options: Partial<ChatCompletionsOptions>) => resolveSettings({ model: "m", ...options });
  it.each([
    ["https://api.openai.com/v1", "OpenAI"],
    ["https://api.groq.com/openai/v1", "Groq"],
    ["https://openrouter.ai/api/v1", "OpenRouter"],
    ["https://api.studio.nebius.ai/v1", "Nebius AI Studio"],
    ["https://open.bigmodel.cn/api/paas/v4", "Z.AI"],
    ["https://api.deepseek.com", "DeepSeek"],
    ["https://api.not-openai.com.evil.example/openai.com", "ChatCompletion"],
    ["https://notgroq.com/v1", "ChatCompletion"],
    ["http://localhost:8000/v1", "ChatCompletion"],
  ])("%s is %s", (baseUrl, vendor) => expect(settings({ baseUrl }).vendor).toBe(vendor));

  it("a name of one's own wins", () => expect(settings({ vendorName: "My gateway" }).vendor).toBe("My gateway"));

  it("a local server gets its placeholder for a key, and costs nothing", () => {
    expect(settings({ id: "lmstudio" })).toMatchObject({ apiKey: "lm-studio", price: { input: 0, output: 0 } });
    expect(settings({ id: "ollama", model: "gpt-5" })).toMatchObject({ apiKey: "ollama", price: { input: 0, output: 0 } });
    expect(settings({ model: "gpt-5" })).toMatchObject({ apiKey: null, price: { input: 1.25 } });
  });

  it("Azure: the deployment in the path, the version in the query, the key in a header of its own", async () => {
    let seen: Request | null = null;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen = new Request(input, init);
      return new Response("data: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } });
    };
    const azure = createChatCompletions({
      id: "azure_openai",
      model: "gpt-4o",
      apiKey: "azure-key-1",
      baseUrl: "https://me.openai.azure.com/",
      params: { api_version: "2025-01-01" },
      maxIncompleteResponseRetries: 0,
      ambient: testAmbient({ fetch }),
    });
    await collect(azure.stream(turnRequest(), new AbortController().signal));
    expect(seen).toMatchObject({ url: "https://me.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2025-01-01" });
    expect([seen!.headers.get("api-key"), seen!.headers.get("authorization")]).toEqual(["azure-key-1", null]);
  });

  it.each<[Partial<ChatCompletionsOptions>, string]>([
    [{ id: "claude" }, "UNKNOWN_BACKEND"],
    [{ id: "inference" }, "CONFIG_INVALID"],
    [{ id: "azure_openai" }, "CONFIG_INVALID"],
    [{ apiKey: "two words" }, "CONFIG_INVALID"],
    [{ apiKey: "schlüssel" }, "CONFIG_INVALID"],
  ])("%o is refused with %s, and the key is not in the message", (options, code) => {
    try {
      createChatCompletions({ model: "m", ...options });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code, exitCode: 1 });
      if (options.apiKey !== undefined) expect(String(error)).not.toContain(options.apiKey);
    }
  });

  it("tools keep their order and their schemas are made acceptable", () => {
    const body = bodyOf({ tools: [...deskTools, { name: "bare", description: "", input: {} }] });
    expect(brokenRules(body)).toEqual([]);
    expect((body["tools"] as { function: { name: string } }[]).map((tool) => tool.function.name)).toEqual([
      ...deskTools.map(({ name }) => name),
      "bare",
    ]);
  });
});

describe("a long prompt for Ollama", () => {
  it("is warned of, once", async () => {
    const fetch: typeof globalThis.fetch = async () =>
      new Response('data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n');
    const warningsOf = async (id: string, words: number): Promise<readonly (readonly string[])[]> => {
      const backend = createChatCompletions({ id, model: "qwen3", baseUrl: "http://127.0.0.1:1/v1", ambient: testAmbient({ fetch }) });
      const messages: readonly Message[] = [{ role: "user", parts: [{ type: "text", text: "word ".repeat(words) }] }];
      const turns = [1, 2].map(() => collect(backend.stream(turnRequest({ messages }), new AbortController().signal)));
      return (await Promise.all(turns)).map(({ events }) => (events[0]?.type === "turn_start" ? events[0].warnings : []));
    };
    expect(await warningsOf("ollama", 5000)).toEqual([[expect.stringContaining("OLLAMA_CONTEXT_LENGTH")], []]);
    expect(await warningsOf("ollama", 50)).toEqual([[], []]);
    expect(await warningsOf("vllm", 5000)).toEqual([[], []]);
  });
});
