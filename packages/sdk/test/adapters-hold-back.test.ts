import { createAnthropic } from "@massgen/backend-anthropic";
import { createChatCompletions } from "@massgen/backend-chat-completions";
import { createGemini } from "@massgen/backend-gemini";
import { defaultBreakerRules, openCircuit } from "@massgen/backend-kit";
import { createOpenAI } from "@massgen/backend-openai";
import type { BackendAdapter, BackendEvent, TurnRequest } from "@massgen/contracts";
import { testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";

type Shared = Parameters<typeof createOpenAI>[0] & { readonly baseUrl: string };
const adapters: readonly [string, (options: Shared) => BackendAdapter][] = [
  ["Responses", (options) => createOpenAI(options)],
  ["Chat Completions", (options) => createChatCompletions({ ...options, id: "chatcompletion" })],
  ["Messages", (options) => createAnthropic(options)],
  ["generateContent", (options) => createGemini(options)],
];
const request: TurnRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "Why?" }] }],
  tools: [],
  toolChoice: "auto",
  maxOutputTokens: null,
  options: {},
};

function refusedBy(status: number, headers: Readonly<Record<string, string>>) {
  let asked = 0;
  const ambient = testAmbient({
    fetch: async () => {
      asked++;
      return new Response(JSON.stringify({ error: { message: "no" } }), {
        status,
        headers: { ...headers, "content-type": "application/json" },
      });
    },
  });
  return { ambient, asked: () => asked };
}

async function play(adapter: BackendAdapter, signal = new AbortController().signal): Promise<readonly BackendEvent[]> {
  const events: BackendEvent[] = [];
  for await (const event of adapter.stream(request, signal)) events.push(event);
  return events;
}

describe.each(adapters)("the adapter of %s", (_, create) => {
  const options = { model: "some-model", apiKey: "k-1234567890", baseUrl: "http://vendor.test/v1", maxRetries: 0 };

  it("asks nobody while the circuit of its guard is open", async () => {
    const { ambient, asked } = refusedBy(503, {});
    const guard = { circuit: openCircuit(), rules: { ...defaultBreakerRules, maxFailures: 1 } };
    const adapter = create({ ...options, ambient, guard });
    await play(adapter);
    const last = (await play(adapter)).at(-1);
    expect(last).toMatchObject({ type: "turn_failed", failure: { message: expect.stringContaining("The circuit breaker of") } });
    expect(asked()).toBe(1);
  });

  it("waits when a response said that its rate limit is used up", async () => {
    const { ambient, asked } = refusedBy(400, { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "30s" });
    const adapter = create({ ...options, ambient });
    await play(adapter);
    const before = asked();
    const controller = new AbortController();
    const waiting = play(adapter, controller.signal);
    await ambient.clock.settle();
    controller.abort();
    expect((await waiting)[0]).toMatchObject({
      type: "turn_start",
      warnings: expect.arrayContaining([expect.stringContaining("waits 30 s")]),
    });
    expect(asked()).toBe(before);
  });
});
