import { LLMock } from "@copilotkit/aimock";
import { validateConfig } from "@massgen/config";
import type { BackendAdapter, BackendEvent, Message, ToolSpec, TurnRequest } from "@massgen/contracts";
import { testAmbient, type VirtualClock } from "@massgen/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildAgents } from "../src/build-agents.js";

/** One row per API family. `usage` is what a vendor of that family calls its counts. */
const families = [
  { type: "chatcompletion", model: "gpt-oss-120b", base: "/v1", usage: { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 } },
  { type: "openai", model: "gpt-5-mini", base: "/v1", usage: { input_tokens: 21, output_tokens: 9, total_tokens: 30 } },
  { type: "claude", model: "claude-sonnet-4-5", base: "", usage: { input_tokens: 21, output_tokens: 9 } },
  {
    type: "gemini",
    model: "gemini-2.5-flash",
    base: "",
    usage: { promptTokenCount: 21, candidatesTokenCount: 9, totalTokenCount: 30 },
  },
] as const;

const weather: ToolSpec = {
  name: "get_weather",
  description: "Tells the weather of a city.",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const ask = (text: string): readonly Message[] => [
  { role: "system", text: "You know the weather." },
  { role: "user", parts: [{ type: "text", text }] },
];

/** Breaks the connection in the middle. The pause lets the bytes leave before. */
const CUT = { chunkSize: 4, truncateAfterChunks: 8, latency: 5 };

interface Turn {
  readonly events: readonly BackendEvent[];
  readonly closing: BackendEvent | undefined;
  /** What was shown since the last retry. */
  readonly text: string;
  readonly calls: readonly Extract<BackendEvent, { type: "tool_call" }>[];
}

interface Bench {
  readonly mock: LLMock;
  turn(request: Partial<TurnRequest>, signal?: AbortSignal, onEvent?: (event: BackendEvent) => void): Promise<Turn>;
}

/**
 * A mock that we did not write, and the adapter of a config in front of it with the vendor's own SDK. It differs from the
 * vendors in one thing that shows here: its Gemini ends a turn of calls with `FUNCTION_CALL`, where Google says `STOP`.
 */
async function openBench({ type, model, base }: (typeof families)[number]): Promise<Bench> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
  await mock.start();
  onTestFinished(() => mock.stop());
  const ambient = testAmbient({ fetch: globalThis.fetch });
  const { config } = validateConfig({
    agents: [{ id: "solo", backend: { type, model, base_url: mock.url + base, api_key: "key-1234567890" } }],
  });
  const { agents } = await buildAgents(config!, {}, ambient);
  const backend = agents[0]!.backend;
  return { mock, turn: (request, signal, onEvent) => play(backend, ambient.clock, request, signal, onEvent) };
}

async function play(
  backend: BackendAdapter,
  clock: VirtualClock,
  request: Partial<TurnRequest>,
  signal: AbortSignal = new AbortController().signal,
  onEvent?: (event: BackendEvent) => void,
): Promise<Turn> {
  const whole: TurnRequest = { messages: [], tools: [weather], toolChoice: "auto", maxOutputTokens: null, options: {}, ...request };
  const events: BackendEvent[] = [];
  for await (const event of backend.stream(whole, signal)) {
    events.push(event);
    onEvent?.(event);
    // Pauses between attempts pass at once.
    if (event.type === "turn_retried") void clock.settle().then(() => clock.advance(event.waitMs));
  }
  const valid = events.slice(events.findLastIndex(({ type }) => type === "turn_retried") + 1);
  return {
    events,
    closing: events.at(-1),
    text: valid.map((event) => (event.type === "text_delta" ? event.text : "")).join(""),
    calls: valid.filter((event) => event.type === "tool_call"),
  };
}

const retries = ({ events }: Turn) => events.filter((event) => event.type === "turn_retried");

describe.each(families)("$type against a mock server of others", (family) => {
  it("reads text, thoughts and the vendor's own count of tokens", async () => {
    const { mock, turn } = await openBench(family);
    mock.on(
      { userMessage: /policy/ },
      { content: "Use ARC: it adapts to the load. 🙂", reasoning: "LRU ages well.", usage: { ...family.usage } },
    );
    const told = await turn({ messages: ask("Which policy?") });
    expect(told.text).toBe("Use ARC: it adapts to the load. 🙂");
    const thoughts = told.events.map((event) => (event.type === "reasoning_delta" ? event.text : "")).join("");
    expect(thoughts).toBe("LRU ages well.");
    expect(told.closing).toMatchObject({ type: "turn_end", reason: "stop", usage: { inputTokens: 21, outputTokens: 9 } });
    expect(retries(told)).toEqual([]);
  });

  it("reads calls side by side, and goes on after their results", async () => {
    const { mock, turn } = await openBench(family);
    const toolCalls = [
      { name: "get_weather", arguments: '{"city":"Paris"}' },
      { name: "get_weather", arguments: '{"city":"Malmö"}' },
    ];
    mock.on({ userMessage: /weather/, hasToolResult: false }, { content: "Let me check. ", reasoning: "Two cities.", toolCalls });
    mock.on({ userMessage: /weather/, hasToolResult: true, toolResultContains: "rain" }, { content: "20 °C and rain." });
    const messages = ask("The weather of Paris and Malmö?");
    const called = await turn({ messages });
    expect(called.calls).toMatchObject([
      { tool: "get_weather", input: { city: "Paris" }, executedBy: "host" },
      { tool: "get_weather", input: { city: "Malmö" }, executedBy: "host" },
    ]);
    expect(new Set(called.calls.map(({ callId }) => callId)).size).toBe(2);
    if (called.closing?.type !== "turn_end") throw new Error(JSON.stringify(called.closing));
    expect(called.closing.reason).toBe("tool_calls");
    const output = (text: string) => ({ parts: [{ type: "text" as const, text }], isError: false });
    const results = called.calls.map(({ callId }, index) => ({ callId, output: output(index === 0 ? "20 °C" : "rain") }));
    const told = await turn({ messages: [...messages, called.closing.message, { role: "tool", results }] });
    expect(told.text).toBe("20 °C and rain.");
    expect(told.closing).toMatchObject({ type: "turn_end", reason: "stop" });
  });

  it("tries again through 529 and 429, as often as it announces", async () => {
    const { mock, turn } = await openBench(family);
    mock.on({ userMessage: /busy/, sequenceIndex: 0 }, { error: { message: "overloaded", type: "overloaded_error" }, status: 529 });
    mock.on(
      { userMessage: /busy/, sequenceIndex: 1 },
      { error: { message: "slow down", type: "rate_limit_error" }, status: 429, retryAfter: 7 },
    );
    mock.on({ userMessage: /busy/, sequenceIndex: 2 }, { content: "Here I am." });
    const told = await turn({ messages: ask("Are you busy?") });
    expect(told.text).toBe("Here I am.");
    expect(retries(told)).toMatchObject([
      { attempt: 1, message: expect.stringContaining("overloaded") },
      // As long as it was asked to.
      { attempt: 2, waitMs: 7000, message: expect.stringContaining("slow down") },
    ]);
    expect(mock.getRequests()).toHaveLength(3);
  });

  it("throws away what a cut stream said, and starts over", async () => {
    const { mock, turn } = await openBench(family);
    mock.on({ userMessage: /long/, sequenceIndex: 0 }, { content: "A long story that breaks off before anybody knows how it ends." }, CUT);
    mock.on({ userMessage: /long/, sequenceIndex: 1 }, { content: "A whole story." });
    const told = await turn({ messages: ask("A long story?") });
    expect(told.text).toBe("A whole story.");
    expect(told.events.slice(0, 2)).toMatchObject([{ type: "turn_start" }, { type: "text_delta", text: expect.stringMatching(/^A lo/) }]);
    expect(told.closing).toMatchObject({ type: "turn_end", reason: "stop" });
    expect(retries(told)).toHaveLength(1);
    expect(mock.getRequests()).toHaveLength(2);
  });

  it("gives up on a stream that is cut every time, and keeps what it said last", async () => {
    const { mock, turn } = await openBench(family);
    mock.on({ userMessage: /long/ }, { content: "A long story that breaks off before anybody knows how it ends." }, CUT);
    const told = await turn({ messages: ask("A long story?") });
    expect(told.closing).toMatchObject({
      type: "turn_failed",
      failure: { kind: "backend_transient" },
      partial: expect.stringMatching(/^A lo/),
    });
    expect(mock.getRequests()).toHaveLength(3);
  });

  it("hangs up when it is aborted in the middle", async () => {
    const { mock, turn } = await openBench(family);
    mock.on({ userMessage: /slow/ }, { content: "word ".repeat(400) }, { chunkSize: 5, latency: 20 });
    const stop = new AbortController();
    const told = await turn({ messages: ask("A slow story?") }, stop.signal, ({ type }) => type === "text_delta" && stop.abort());
    expect(told.closing).toMatchObject({
      type: "turn_failed",
      failure: { kind: "backend_transient" },
      partial: expect.stringMatching(/^word /),
    });
    expect(told.text.length).toBeLessThan(200);
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("tells what a server says that does not know the question", async () => {
    const { mock, turn } = await openBench(family);
    const told = await turn({ messages: ask("What else?") });
    expect(told.closing).toMatchObject({ type: "turn_failed", failure: { kind: "backend_transient", status: 503 } });
    expect(mock.getRequests()).toHaveLength(4);
  });
});
