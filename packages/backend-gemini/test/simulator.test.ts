import { type SimulatedReply, startSimulator } from "@massgen/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGemini } from "../src/index.js";
import { answered, collect, ended, failed, turnRequest } from "./turns.js";

async function openSimulated(...replies: readonly SimulatedReply[]) {
  const simulator = await startSimulator({ respond: ({ index }) => replies[Math.min(index, replies.length - 1)]! });
  onTestFinished(() => simulator.close());
  const baseUrl = simulator.baseUrl("generate_content");
  // A model that is refused when a signature is missing.
  const backend = createGemini({ model: "gemini-3-flash-preview", apiKey: "any-key-at-all", baseUrl });
  return { simulator, turn: (request = {}) => collect(backend.stream(turnRequest(request), new AbortController().signal)) };
}

describe("against the simulator, which keeps Google's rules", () => {
  it("a tool round with thoughts and signatures comes to its end", async () => {
    const { simulator, turn } = await openSimulated(
      {
        kind: "message",
        reasoning: "I look it up.",
        text: "One moment.",
        toolCalls: [
          { name: "mcp__desk__lookup", input: { q: "lamp" } },
          { name: "mcp__desk__now", input: {} },
        ],
      },
      { kind: "message", text: "A lamp, at noon." },
    );
    const first = await turn();
    expect(first).toMatchObject({
      reasoning: "I look it up.",
      text: "One moment.",
      calls: [
        { tool: "mcp__desk__lookup", input: { q: "lamp" } },
        { tool: "mcp__desk__now", input: {} },
      ],
    });
    const second = await turn({ messages: answered(first, "a lamp") });
    expect(second.text).toBe("A lamp, at noon.");
    expect(ended(second).usage).not.toHaveProperty("estimated");
    expect(simulator.requests.map(({ status, violations }) => [status, violations])).toEqual([
      [200, []],
      [200, []],
    ]);
  });

  it("what it refuses is told in Google's words", async () => {
    const { turn } = await openSimulated({ kind: "failure", status: 403 });
    expect(failed(await turn()).failure).toMatchObject({
      kind: "backend_fatal",
      status: 403,
      message: expect.stringContaining("Gemini denies access"),
    });
  });
});
