import { type SimulatedReply, startSimulator } from "@massgen/simulator";
import { testAmbient } from "@massgen/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOpenAI } from "../src/index.js";
import { answered, collect, ended, KEY, turnRequest } from "./turns.js";

describe("against the simulator", () => {
  it.each(["openai", "grok"])("%s: a tool round keeps every rule of the vendor, and thoughts come back", async (id) => {
    const replies: readonly SimulatedReply[] = [
      {
        kind: "message",
        reasoning: "Look up both.",
        text: "I look.",
        toolCalls: [
          { name: "mcp__desk__lookup", input: { q: "größe 🙂" } },
          { name: "mcp__desk__now", input: {} },
        ],
        pace: { firstTokenMs: 0, tokensPerSecond: 100_000 },
      },
      { kind: "message", text: "Both are on the desk.", usage: { inputTokens: 40, cachedTokens: 30, outputTokens: 5, reasoningTokens: 2 } },
    ];
    const simulator = await startSimulator({ respond: ({ index }) => replies[index]! });
    onTestFinished(() => simulator.close());
    const ambient = testAmbient({ fetch: globalThis.fetch });
    const backend = createOpenAI({ id, model: "replay-model", apiKey: KEY, baseUrl: simulator.baseUrl("responses"), ambient });
    const turn = (request = {}) => collect(backend.stream(turnRequest(request), new AbortController().signal));

    const first = await turn();
    expect(first).toMatchObject({
      reasoning: "Look up both.",
      text: "I look.",
      calls: [
        { tool: "mcp__desk__lookup", input: { q: "größe 🙂" } },
        { tool: "mcp__desk__now", input: {} },
      ],
    });
    const second = await turn({ messages: answered(first, "here") });
    expect(second.text).toBe("Both are on the desk.");
    expect(ended(second).usage).toMatchObject({ inputTokens: 40, cachedTokens: 30, outputTokens: 5, reasoningTokens: 2 });
    expect(simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
    expect(JSON.stringify(simulator.requests[1]?.body)).toContain("simulated-rs_1_0");
  });
});
