import { testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { createChatCompletions } from "../src/index.js";
import { type Reply, recording } from "./replay-server.js";
import { answered, collect, ended, failed, KEY, openBench, turnRequest } from "./turns.js";

/** Each recording as the network may deliver it. */
const feeds = (name: string): readonly (readonly [string, Reply])[] => [
  ["whole", { recording: name }],
  ["byte by byte", { recording: name, cutEvery: 1 }],
  ["in threes", { recording: name, cutEvery: 3 }],
];

describe("tool calls (CC-01)", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["tool-calls-without-index.sse", ["red", "blue"]],
    ["two-tool-calls-in-one-chunk.sse", ["north", "south"]],
    ["tool-name-after-arguments.sse", ["late"]],
    ["tool-name-and-id-in-every-chunk.sse", ["every"]],
    ["tool-index-from-one-without-ids.sse", ["one", "two"]],
  ];
  for (const [name, words] of cases) {
    it.each(feeds(name))(`${name}, %s: exactly its calls, in order, each under an id of its own`, async (_, reply) => {
      const { turn, server } = await openBench([reply]);
      const result = await turn();
      expect(result.calls.map(({ tool, input }) => ({ tool, input }))).toEqual(
        words.map((q) => ({ tool: "mcp__desk__lookup", input: { q } })),
      );
      expect(ended(result).reason).toBe("tool_calls");
      expect(new Set(result.calls.map(({ callId }) => callId)).size).toBe(words.length);
      expect(result.calls.every(({ callId }) => callId !== "")).toBe(true);

      server.script({ recording: "whole-answer.sse" });
      expect((await turn({ messages: answered(result, "found") })).text).toBe("Second try, complete.");
      expect(server.broken).toEqual([]);
      expect(server.requests[1]?.body.messages.slice(3).map((message: { tool_call_id: string }) => message.tool_call_id)).toEqual(
        result.calls.map(({ callId }) => callId),
      );
    });
  }

  it("shows arguments while they stream, under the name and the id of the call", async () => {
    const { turn } = await openBench([{ recording: "tool-name-after-arguments.sse" }]);
    const { events, calls } = await turn();
    const deltas = events.filter((event) => event.type === "tool_input_delta");
    expect(deltas).toEqual([{ type: "tool_input_delta", callId: calls[0]?.callId, tool: "mcp__desk__lookup", json: '{"q":"late"}' }]);
  });

  it("an id the vendor used in an earlier response is replaced: ids are unique in a conversation", async () => {
    const { turn, server } = await openBench([{ recording: "tool-name-after-arguments.sse" }]);
    const first = await turn();
    const second = await turn({ messages: answered(first, "found") });
    expect(first.calls[0]?.callId).toBe("call_late");
    expect(second.calls[0]?.callId).not.toBe("call_late");
    expect(server.broken).toEqual([]);
  });
});

describe("a call without arguments (CC-02)", () => {
  it.each(feeds("tool-call-without-arguments.sse"))("is called with {} and sent back as {}: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ tool: "mcp__desk__now", input: {} }]);
    expect(result.calls[0]).not.toHaveProperty("inputError");
    server.script({ recording: "whole-answer.sse" });
    await turn({ messages: answered(result, "noon") });
    expect(server.requests[1]?.body.messages[2].tool_calls[0].function).toEqual({ name: "mcp__desk__now", arguments: "{}" });
    expect(server.broken).toEqual([]);
  });
});

describe("cuts inside characters and escapes (CC-03)", () => {
  const name = "interleaved-calls-with-escapes.sse";
  const expected = {
    text: "Zażółć 東京 🙂👩‍🚀 done.",
    calls: [
      { tool: "mcp__desk__save", input: { path: "notes/日本.md", text: 'line 1\nquote "x" back\\slash\ttab 🚢' } },
      { tool: "mcp__desk__lookup", input: { q: "naïve é 🙂 中" } },
    ],
    usage: { inputTokens: 210, outputTokens: 66 },
  };

  it.each([
    ["at the places that hurt", { recording: name, cutAt: [169, 178, 179, 360, 362, 1198, 1622, 1681, 2582] }] as const,
    ...feeds(name),
  ])("%s", async (_, reply) => {
    const { turn } = await openBench([reply]);
    const result = await turn();
    expect(result.text).toBe(expected.text);
    expect(result.calls).toMatchObject(expected.calls);
    expect(ended(result).usage).toMatchObject(expected.usage);
  });

  it("at every position in and around a character, an escape and a line end", { timeout: 60_000 }, async () => {
    const bytes = recording(name);
    const hurts = (byte: number | undefined) => byte !== undefined && (byte >= 0x80 || byte === 0x5c || byte === 0x0a);
    const cuts = Array.from(bytes, (_, cut) => cut).filter((cut) => cut > 0 && (hurts(bytes[cut - 1]) || hurts(bytes[cut])));
    expect(cuts.length).toBeGreaterThan(100);
    for (const cut of cuts) {
      const { backend } = openInMemory(bytes.subarray(0, cut), bytes.subarray(cut));
      const { text, calls } = await collect(backend.stream(turnRequest(), new AbortController().signal));
      expect({ text, calls }, `cut at ${cut}`).toMatchObject({ text: expected.text, calls: expected.calls });
    }
  });
});

describe("noise between the events (CC-04)", () => {
  it.each(feeds("noise-between-events.sse"))("is skipped, and no end of the stream: %s", async (_, reply) => {
    const { turn } = await openBench([reply]);
    const result = await turn();
    expect(result.text).toBe("The tide is out at 06:12.");
    expect(ended(result)).toMatchObject({ reason: "stop", usage: { inputTokens: 33, outputTokens: 9 } });
  });

  it.each(feeds("lone-carriage-returns.sse"))("lines may end in a lone carriage return: %s", async (_, reply) => {
    const { turn } = await openBench([reply]);
    expect((await turn()).text).toBe("one two");
  });
});

describe("chunks without choices, usage in odd places (CC-05)", () => {
  it.each([
    ["filter-chunk-first.sse", "Filtered but fine.", { inputTokens: 1000, cachedTokens: 800, outputTokens: 50, reasoningTokens: 20 }],
    ["null-choices.sse", "Null proof.", { inputTokens: 20, outputTokens: 4 }],
    ["usage-in-every-chunk.sse", "Count me once.", { inputTokens: 40, outputTokens: 5 }],
  ] as const)("%s", async (name, text, usage) => {
    for (const [, reply] of feeds(name)) {
      const { turn } = await openBench([reply]);
      const result = await turn();
      expect(result.text).toBe(text);
      expect(ended(result)).toMatchObject({ reason: "stop", usage });
      expect(ended(result).usage).not.toHaveProperty("estimated");
    }
  });

  it("usage nobody sent is estimated, and says so", async () => {
    const { turn } = await openBench([{ recording: "no-usage.sse" }]);
    const result = await turn();
    expect(result.text).toBe("No bill.");
    expect(ended(result).usage).toMatchObject({ estimated: true, outputTokens: 3, costUsd: null });
    expect(ended(result).usage?.inputTokens).toBeGreaterThan(10);
  });

  it("usage is asked for; a server that refuses the field is asked once more without it, and not again with it", async () => {
    const refusal: Reply = {
      status: 400,
      json: {
        error: {
          message: "Unrecognized request argument supplied: stream_options",
          type: "invalid_request_error",
          param: "stream_options",
        },
      },
    };
    const { turn, server } = await openBench([refusal, { recording: "whole-answer.sse" }]);
    const result = await turn();
    expect(result.text).toBe("Second try, complete.");
    expect(result.retries).toMatchObject([{ attempt: 1, waitMs: 0, message: expect.stringContaining("no stream_options") }]);
    await turn();
    expect(server.requests.map(({ body }) => body.stream_options)).toEqual([{ include_usage: true }, undefined, undefined]);
  });
});

describe("streams that die (CC-06)", () => {
  it.each([
    ["an error object inside the stream", { recording: "error-object-in-stream.sse" }, "upstream worker lost"],
    ["an end without finish and farewell", { recording: "cut-between-events.sse" }, "broke off"],
    ["a reset", { recording: "cut-between-events.sse", end: "reset" }, "connection"],
    ["a torn line", { recording: "cut-inside-a-line.sse" }, "broke off"],
    ["an error event", { recording: "error-event.sse" }, "model is loading"],
  ] as const)("%s: tried again, and nothing of the first attempt is left", async (_, reply, cause) => {
    const { turn, server } = await openBench([reply, { recording: "whole-answer.sse" }]);
    const result = await turn();
    expect(result.retries).toMatchObject([{ attempt: 1, message: expect.stringContaining(cause) }]);
    expect(result.text).toBe("Second try, complete.");
    expect(ended(result).message.parts).toEqual([{ type: "text", text: "Second try, complete." }]);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ["done-without-finish.sse", "Whole answer, no finish word."],
    ["finish-without-done.sse", "Whole answer, no farewell."],
  ])("%s is a whole answer, with one request", async (name, text) => {
    for (const [, reply] of feeds(name)) {
      const { turn, server } = await openBench([reply]);
      const result = await turn();
      expect([result.text, ended(result).reason, server.requests.length]).toEqual([text, "stop", 1]);
    }
  });

  it("a reset after the last word takes nothing away", async () => {
    const { turn, server } = await openBench([{ recording: "finish-without-done.sse", end: "reset" }]);
    expect((await turn()).text).toBe("Whole answer, no farewell.");
    expect(server.requests).toHaveLength(1);
  });

  it("a stream that is always cut costs three requests a turn, so six over the two tries of a round, and names the cause", async () => {
    const { turn, server } = await openBench([{ recording: "cut-between-events.sse", end: "reset" }]);
    for (let round = 1; round <= 2; round++) {
      const result = await turn();
      expect(failed(result).failure).toMatchObject({ kind: "backend_transient" });
      expect(failed(result).failure.message).toContain("ChatCompletion");
      expect(result.retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(server.requests).toHaveLength(3 * round);
    }
  });

  it("cut off at every position a stream is either whole or a failure, never a part taken for the whole", { timeout: 60_000 }, async () => {
    const bytes = recording("whole-answer.sse");
    for (let end = 0; end <= bytes.length; end++) {
      const { backend } = openInMemory(bytes.subarray(0, end));
      const { closing, text } = await collect(backend.stream(turnRequest(), new AbortController().signal));
      if (closing.type === "turn_end") expect(text, `cut at ${end}`).toBe("Second try, complete.");
      else expect(closing.failure.kind, `cut at ${end}`).toBe("backend_transient");
    }
  });
});

describe("reasoning in three fields (CC-07)", () => {
  it.each(feeds("reasoning-content-with-call.sse"))("goes back in the field it came in, within the tool loop: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply, { recording: "reasoning.sse" }]);
    const first = await turn();
    expect(first).toMatchObject({ reasoning: "The user wants the desk. I look it up.", text: "", calls: [{ input: { q: "lamp" } }] });
    expect(ended(first).usage).toMatchObject({ reasoningTokens: 25 });

    const second = await turn({ messages: answered(first, "lit") });
    expect(second).toMatchObject({ reasoning: "Now I know. Answer briefly.", text: "The lamp is lit." });
    const sent = server.requests[1]?.body.messages[2];
    expect(sent).toEqual({
      role: "assistant",
      content: null,
      reasoning_content: "The user wants the desk. I look it up.",
      tool_calls: [expect.objectContaining({ id: "call_cc07" })],
    });

    server.script({ recording: "whole-answer.sse" });
    await turn({
      messages: [...answered(first, "lit"), ended(second).message, { role: "user", parts: [{ type: "text", text: "Thanks. And now?" }] }],
    });
    expect(JSON.stringify(server.requests[2]?.body.messages)).not.toContain("reasoning");
    expect(server.broken).toEqual([]);
  });

  it.each(feeds("reasoning-in-three-fields.sse"))("is told once and is no part of the answer: %s", async (_, reply) => {
    const { turn } = await openBench([reply]);
    const result = await turn();
    expect(result).toMatchObject({ reasoning: "Think once.", text: "Said once." });
    expect(ended(result).message.parts).toMatchObject([
      { type: "reasoning", text: "Think once." },
      { type: "text", text: "Said once." },
    ]);
  });
});

describe("a call cut off by the token limit (CC-08)", () => {
  it.each(feeds("call-cut-by-token-limit.sse"))("is never handed out, and the warning names call and limit: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply]);
    const result = await turn({ maxOutputTokens: 4096 });
    expect(result.calls).toEqual([]);
    expect(ended(result)).toMatchObject({ reason: "length", message: { parts: [] } });
    expect(ended(result).warning).toBe(
      "The response was cut at the limit of 4096 output tokens (max_tokens). The call of mcp__desk__save was cut off with it and left out.",
    );
    expect(server.requests[0]?.body.max_tokens).toBe(4096);
  });
});

/** The same adapter with its vendor in memory, for the many cuts of one recording. */
function openInMemory(...pieces: readonly Uint8Array[]) {
  const fetch: typeof globalThis.fetch = () =>
    Promise.resolve(new Response(streamOf(pieces), { headers: { "content-type": "text/event-stream" } }));
  return {
    backend: createChatCompletions({
      model: "replay-model",
      apiKey: KEY,
      maxIncompleteResponseRetries: 0,
      ambient: testAmbient({ fetch }),
    }),
  };
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
}
