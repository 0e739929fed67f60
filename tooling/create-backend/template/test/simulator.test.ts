import type { AssistantMessage, BackendEvent, Message } from "@massgen/contracts";
import { type SimulatedReply, startSimulator } from "@massgen/simulator";
import { expect, it } from "vitest";
import { createBackend } from "../src/index.js";

const script: readonly SimulatedReply[] = [
  { kind: "message", text: "One moment.", toolCalls: [{ name: "mcp__desk__lookup", input: { q: "lamp" } }] },
  { kind: "message", text: "A lamp." },
];

// TODO: take this out, or put a simulator of the vendor's API in its place, when the wire is no longer Chat Completions.
it("a tool round comes to its end against a server that keeps the rules of the API", async () => {
  const simulator = await startSimulator({ respond: ({ index }) => script[index] ?? script[1]! });
  try {
    const baseUrl = simulator.baseUrl("chat_completions");
    const backend = createBackend({
      model: "simulated",
      apiKey: "any-key-at-all",
      baseUrl,
      params: {},
      maxRetries: 0,
      maxIncompleteResponseRetries: 0,
      ambient: {},
    });
    const play = async (...more: readonly Message[]): Promise<AssistantMessage> => {
      const messages: readonly Message[] = [{ role: "user", parts: [{ type: "text", text: "What stands here?" }] }, ...more];
      const tools = [
        { name: "mcp__desk__lookup", description: "Looks it up.", input: { type: "object", properties: { q: { type: "string" } } } },
      ];
      const request = { messages, tools, toolChoice: "auto", maxOutputTokens: null, options: {} } as const;
      let last: BackendEvent | undefined;
      for await (const event of backend.stream(request, new AbortController().signal)) last = event;
      if (last?.type !== "turn_end") throw new Error(JSON.stringify(last));
      return last.message;
    };
    const first = await play();
    const call = first.parts.find((part) => part.type === "tool_call");
    expect(call).toMatchObject({ tool: "mcp__desk__lookup", input: { q: "lamp" } });
    const output = { parts: [{ type: "text", text: "a lamp" }], isError: false } as const;
    const second = await play(first, { role: "tool", results: [{ callId: call?.callId ?? "", output }] });
    expect(second.parts).toEqual([{ type: "text", text: "A lamp." }]);
    expect(simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
  } finally {
    await simulator.close();
  }
});
