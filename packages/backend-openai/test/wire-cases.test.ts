import { AttemptError, type AttemptEvent } from "@massgen/backend-kit";
import { testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { readReply } from "../src/read-reply.js";
import { openResponseStream } from "../src/response-stream.js";
import { type Reply, recording } from "./replay-server.js";
import { answered, collect, ended, failed, openBench, turnRequest } from "./turns.js";

/** Each recording as the network may deliver it. */
const feeds = (name: string): readonly (readonly [string, Reply])[] => [
  ["whole", { recording: name }],
  ["byte by byte", { recording: name, cutEvery: 1 }],
  ["in threes", { recording: name, cutEvery: 3 }],
];
const text: Reply = { recording: "text.sse" };

describe("done-only events, failures, encrypted reasoning (RE-01)", () => {
  it.each(feeds("reasoning-then-two-calls.sse"))(
    "calls with and without deltas count once, and reasoning goes back before them: %s",
    async (_, reply) => {
      const { turn, server } = await openBench([reply, text]);
      const first = await turn();
      expect(first.reasoning).toBe("Look up both.");
      expect(first.calls).toMatchObject([
        { callId: "call_re01a", tool: "mcp__desk__lookup", input: { q: "lamp" } },
        { callId: "call_re01b", tool: "mcp__desk__lookup", input: { q: "desk" } },
      ]);
      const streamed = first.events.flatMap((event) => (event.type === "tool_input_delta" ? [[event.callId, event.json]] : []));
      for (const [id, whole] of [
        ["call_re01a", '{"q":"lamp"}'],
        ["call_re01b", '{"q":"desk"}'],
      ])
        expect(streamed.flatMap(([callId, json]) => (callId === id ? [json] : [])).join("")).toBe(whole);
      expect(ended(first).reason).toBe("tool_calls");

      const second = await turn({ messages: answered(first, "here") });
      expect(second.text).toBe("Both are on the desk.");
      expect(server.requests[1]?.body.input.slice(1)).toEqual([
        {
          id: "rs_re01",
          type: "reasoning",
          summary: [{ type: "summary_text", text: "Look up both." }],
          encrypted_content: "gAAAAABreplay+encrypted/reasoning==",
        },
        { type: "function_call", call_id: "call_re01a", name: "mcp__desk__lookup", arguments: '{"q":"lamp"}' },
        { type: "function_call", call_id: "call_re01b", name: "mcp__desk__lookup", arguments: '{"q":"desk"}' },
        { type: "function_call_output", call_id: "call_re01a", output: "here" },
        { type: "function_call_output", call_id: "call_re01b", output: "here" },
      ]);
      expect(server.requests.map(({ body }) => [body.store, body.include])).toEqual([
        [false, ["reasoning.encrypted_content"]],
        [false, ["reasoning.encrypted_content"]],
      ]);
      expect(server.broken).toEqual([]);
    },
  );

  it.each(feeds("text-without-deltas.sse"))("a text that only the done events carry is there, once: %s", async (_, reply) => {
    const { turn } = await openBench([reply]);
    const result = await turn();
    expect(result.text).toBe("Only the done events carry this.");
    expect(ended(result).message.parts).toEqual([{ type: "text", text: "Only the done events carry this." }]);
    expect(ended(result).usage).toMatchObject({ inputTokens: 300, outputTokens: 40 });
  });

  it.each([
    ["failed.sse", "The model had a fault.", 500],
    ["error-event.sse", "Tokens per minute used up.", 1200],
  ])("%s is a failure, tried again, and nothing of it is left", async (name, cause, leastMs) => {
    for (const [, reply] of feeds(name)) {
      const { turn, server } = await openBench([reply, text]);
      const result = await turn();
      expect(result.retries).toMatchObject([{ attempt: 1, message: expect.stringContaining(cause) }]);
      expect(result.retries[0]!.waitMs).toBeGreaterThanOrEqual(leastMs);
      expect(ended(result).message.parts).toEqual([{ type: "text", text: "Both are on the desk." }]);
      expect(server.requests).toHaveLength(2);
    }
  });

  it("the wait that an error event tells in its sentence is kept to the millisecond", async () => {
    const { turn } = await openBench([{ recording: "error-event.sse" }, text]);
    expect((await turn()).retries).toMatchObject([{ waitMs: 1200, message: expect.stringContaining("limits the rate") }]);
  });

  it("a response that always fails costs three requests a turn, and names the cause", async () => {
    const { turn, server } = await openBench([{ recording: "failed.sse" }]);
    expect(failed(await turn()).failure).toMatchObject({ kind: "backend_transient", message: expect.stringContaining("server_error") });
    expect(server.requests).toHaveLength(3);
  });

  it.each(feeds("content-filter.sse"))("what a content filter ended is no answer: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply]);
    const result = await turn();
    expect(ended(result)).toMatchObject({ reason: "refusal", warning: expect.stringContaining("content filter") });
    expect(server.requests).toHaveLength(1);
  });

  it.each(feeds("refusal.sse"))("a refusal says why: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply]);
    const result = await turn();
    expect(result.text).toBe("I cannot help with that.");
    expect(ended(result)).toMatchObject({ reason: "refusal", message: { parts: [{ type: "text", text: "I cannot help with that." }] } });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a call without arguments (CC-02)", () => {
  it.each(feeds("call-without-arguments.sse"))("is called with {} and sent back as {}: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply, text]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ callId: "call_cc02", tool: "mcp__desk__now", input: {} }]);
    expect(result.calls[0]).not.toHaveProperty("inputError");
    await turn({ messages: answered(result, "noon") });
    expect(server.requests[1]?.body.input[1]).toEqual({
      type: "function_call",
      call_id: "call_cc02",
      name: "mcp__desk__now",
      arguments: "{}",
    });
    expect(server.broken).toEqual([]);
  });
});

describe("a call cut off by the token limit (CC-08)", () => {
  it.each(feeds("call-cut-by-token-limit.sse"))("is never handed out, and the warning names call and limit: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply]);
    const result = await turn({ maxOutputTokens: 4096 });
    expect(result.calls).toEqual([]);
    expect(ended(result)).toMatchObject({ reason: "length", message: { parts: [] }, usage: { outputTokens: 4096 } });
    expect(ended(result).warning).toBe(
      "The response was cut at the limit of 4096 output tokens (max_tokens). The call of mcp__desk__save was cut off with it and left out.",
    );
    expect(server.requests[0]?.body.max_output_tokens).toBe(4096);
  });
});

describe("streams that die", () => {
  const recordings = ["reasoning-then-two-calls.sse", "text.sse", "refusal.sse", "call-cut-by-token-limit.sse"];
  it.each(recordings)(
    "%s, cut off anywhere: whole or a failure, never a part taken for the whole",
    async (name) => {
      const bytes = recording(name);
      const last = bytes.toString("utf8").trimEnd().length;
      const whole = await readPieces(bytes);
      for (const end of positionsOf(bytes)) {
        const result = await readPieces(bytes.subarray(0, end));
        if (end < last) expect(result, `cut at ${end}`).toBe("backend_transient");
        else expect(result, `cut at ${end}`).toEqual(whole);
      }
    },
    60_000,
  );

  it.each(recordings)(
    "%s, in two pieces wherever they part: always the same",
    async (name) => {
      const bytes = recording(name);
      const whole = await readPieces(bytes);
      expect(whole).toMatchObject({ type: "turn_end" });
      for (const cut of positionsOf(bytes))
        expect(await readPieces(bytes.subarray(0, cut), bytes.subarray(cut)), `cut at ${cut}`).toEqual(whole);
    },
    60_000,
  );

  it.each([
    ["an end without the last event", { text: recording("text.sse").toString("utf8").slice(0, 2000) }, "broke off after"],
    ["a reset", { text: recording("text.sse").toString("utf8").slice(0, 2000), end: "reset" }, "connection"],
    ["an empty stream", { text: "" }, "empty stream"],
    ["a farewell and nothing else", { text: "data: [DONE]\n\n" }, "empty stream"],
  ] as const)("%s: tried again, and nothing of the first attempt is left", async (_, reply, cause) => {
    const { turn, server } = await openBench([reply, text]);
    const result = await turn();
    expect(result.retries).toMatchObject([{ attempt: 1, message: expect.stringContaining(cause) }]);
    expect(result.text).toBe("Both are on the desk.");
    expect(server.requests).toHaveLength(2);
  });

  it("a reset after the last word takes nothing away", async () => {
    const { turn, server } = await openBench([{ recording: "text.sse", end: "reset" }]);
    expect((await turn()).text).toBe("Both are on the desk.");
    expect(server.requests).toHaveLength(1);
  });

  it("a response that is over but keeps the line open is closed after a moment", async () => {
    const { backend, ambient } = await openBench([{ recording: "text.sse", end: "hang" }]);
    const result = await collect(backend.stream(turnRequest(), new AbortController().signal), (event) => {
      if (event.type === "text_delta") void ambient.clock.settle().then(() => ambient.clock.advance(100));
    });
    expect(ended(result).reason).toBe("stop");
  });
});

/** All positions at and around line ends, where a reader decides something, and every fifth in between. */
function positionsOf(bytes: Buffer): readonly number[] {
  const isNearLineEnd = (at: number): boolean => [at - 2, at - 1, at, at + 1].some((near) => bytes[near] === 0x0a);
  return Array.from({ length: bytes.length + 1 }, (_, at) => at).filter((at) => at % 5 === 0 || isNearLineEnd(at));
}

/** What a response ends with when its bytes come in these pieces: the closing event, or the kind of its failure. */
async function readPieces(...pieces: readonly Uint8Array[]): Promise<AttemptEvent | string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: AttemptEvent[] = [];
  const over = new AbortController();
  const stream = openResponseStream({ names: [], toTool: (name) => name, takenIds: [], newId: () => "call_own" });
  try {
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const attempt = { number: 1, signal: over.signal, alive: () => {} };
    for await (const event of readReply(response, stream, { ...context, attempt, clock: testAmbient().clock })) events.push(event);
    return events.at(-1)!;
  } catch (error) {
    if (error instanceof AttemptError) return error.failure.kind;
    throw error;
  } finally {
    over.abort();
  }
}

const context = {
  asked: { vendor: "OpenAI", model: "m", url: "http://127.0.0.1/v1/responses", secrets: [] },
  model: "m",
  request: turnRequest(),
  price: null,
  outputLimit: null,
};
