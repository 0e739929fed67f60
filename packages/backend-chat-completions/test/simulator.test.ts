import { type SimulatedReply, startSimulator } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { createChatCompletions } from "../src/index.js";
import { answered, collect, ended, turnRequest } from "./turns.js";

async function openSimulated(...replies: readonly SimulatedReply[]) {
  const simulator = await startSimulator({ respond: ({ index }) => replies[Math.min(index, replies.length - 1)]! });
  onTestFinished(() => simulator.close());
  const backend = createChatCompletions({ model: "simulated", apiKey: "any-key-at-all", baseUrl: simulator.baseUrl("chat_completions") });
  return { simulator, turn: (request = {}) => collect(backend.stream(turnRequest(request), new AbortController().signal)) };
}

describe("against the simulator, which keeps a vendor's rules", () => {
  it("a tool round with reasoning comes to its end", async () => {
    const { simulator, turn } = await openSimulated(
      {
        kind: "message",
        reasoning: "I look it up.",
        text: "One moment.",
        toolCalls: [{ name: "mcp__desk__lookup", input: { q: "lamp" } }],
      },
      { kind: "message", text: "A lamp." },
    );
    const first = await turn();
    expect(first).toMatchObject({
      reasoning: "I look it up.",
      text: "One moment.",
      calls: [{ tool: "mcp__desk__lookup", input: { q: "lamp" } }],
    });
    const second = await turn({ messages: answered(first, "a lamp") });
    expect(second.text).toBe("A lamp.");
    expect(ended(second).usage).not.toHaveProperty("estimated");
    expect(simulator.requests.map(({ status, violations }) => [status, violations])).toEqual([
      [200, []],
      [200, []],
    ]);
  });
});
