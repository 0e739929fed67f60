import { type SimulatedReply, startSimulator } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAnthropic } from "../src/index.js";
import { answered, collect, ended, failed, turnRequest } from "./turns.js";

async function openSimulated(replies: readonly SimulatedReply[]) {
  const simulator = await startSimulator({ respond: ({ index }) => replies[Math.min(index, replies.length - 1)]! });
  onTestFinished(() => simulator.close());
  const backend = createAnthropic({ model: "simulated", apiKey: "any-key-at-all", baseUrl: simulator.baseUrl("messages") });
  return { simulator, turn: (request = {}) => collect(backend.stream(turnRequest(request), new AbortController().signal)) };
}

describe("against the simulator, which keeps the vendor's rules", () => {
  it("a tool round with thoughts comes to its end", async () => {
    const { simulator, turn } = await openSimulated([
      {
        kind: "message",
        reasoning: "I look it up.",
        text: "One moment.",
        toolCalls: [{ name: "mcp__desk__lookup", input: { q: "lamp" } }],
      },
      { kind: "message", text: "A lamp.", usage: { inputTokens: 50, cachedTokens: 40, outputTokens: 3 } },
    ]);
    const first = await turn();
    expect(first).toMatchObject({
      reasoning: "I look it up.",
      text: "One moment.",
      calls: [{ tool: "mcp__desk__lookup", input: { q: "lamp" } }],
    });
    const second = await turn({ messages: answered(first, "a lamp") });
    expect(second.text).toBe("A lamp.");
    expect(ended(second).usage).toEqual({ inputTokens: 50, cachedTokens: 40, outputTokens: 3, reasoningTokens: 0, costUsd: null });
    expect(simulator.requests.map(({ status, violations }) => [status, violations])).toEqual([
      [200, []],
      [200, []],
    ]);
    expect(JSON.stringify(simulator.requests[1]?.body)).toContain('"type":"thinking","thinking":"I look it up."');
  });

  it("an address it does not serve is named, with what came back", async () => {
    const { simulator, turn } = await openSimulated([{ kind: "message", text: "x" }]);
    const lost = createAnthropic({ model: "simulated", apiKey: "any-key-at-all", baseUrl: `${simulator.url}/nowhere` });
    const { failure } = failed(await collect(lost.stream(turnRequest(), new AbortController().signal)));
    expect(failure).toMatchObject({ kind: "backend_fatal", status: 404 });
    expect(failure.message).toContain(`${simulator.url}/nowhere/v1/messages`);
    expect((await turn()).text).toBe("x");
  });
});
