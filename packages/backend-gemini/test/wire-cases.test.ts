import { testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { createGemini } from "../src/index.js";
import { type Reply, recording } from "./replay-server.js";
import { answered, collect, ended, failed, KEY, openBench, question, turnRequest } from "./turns.js";

/** Each recording as the network may deliver it. */
const feeds = (name: string): readonly (readonly [string, Reply])[] => [
  ["whole", { recording: name }],
  ["byte by byte", { recording: name, cutEvery: 1 }],
  ["in threes", { recording: name, cutEvery: 3 }],
];
const chunk = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

describe("thought signatures and parallel calls (GE-01)", () => {
  it.each(feeds("parallel-calls-with-ids.sse"))("calls go back in one content, signed and numbered as they came: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply, { recording: "calls-without-ids.sse" }, { recording: "whole-answer.sse" }]);
    const first = await turn();
    expect(first).toMatchObject({ reasoning: "Two look-ups are needed.", text: "" });
    expect(first.calls).toMatchObject([
      { callId: "fc-1", tool: "mcp__desk__lookup", input: { q: "lamp" } },
      { callId: "fc-2", tool: "mcp__desk__lookup", input: { q: "desk" } },
    ]);
    expect(ended(first)).toMatchObject({
      reason: "tool_calls",
      usage: { inputTokens: 300, outputTokens: 42, reasoningTokens: 12, cachedTokens: 0 },
    });

    const second = await turn({ messages: answered(first, "found") });
    expect(server.requests[1]?.body.contents.slice(1)).toEqual([
      {
        role: "model",
        parts: [
          {
            functionCall: { id: "fc-1", name: "mcp__desk__lookup", args: { q: "lamp" } },
            thoughtSignature: "CiQBcsjafreplay/sig+one==",
          },
          { functionCall: { id: "fc-2", name: "mcp__desk__lookup", args: { q: "desk" } } },
        ],
      },
      {
        role: "user",
        parts: ["fc-1", "fc-2"].map((id) => ({ functionResponse: { id, name: "mcp__desk__lookup", response: { result: "found" } } })),
      },
    ]);

    await turn({ messages: [...answered(first, "found"), ...answered(second, "seen").slice(2)] });
    expect(server.requests[2]?.body.contents.slice(3)).toEqual([
      {
        role: "model",
        parts: [
          { functionCall: { name: "mcp__desk__lookup", args: { q: "north" } }, thoughtSignature: "CiQBcsjafreplay/sig+two==" },
          { functionCall: { name: "mcp__desk__lookup", args: { q: "south" } } },
          { functionCall: { name: "mcp__desk__now", args: {} } },
        ],
      },
      {
        role: "user",
        parts: ["mcp__desk__lookup", "mcp__desk__lookup", "mcp__desk__now"].map((name) => ({
          functionResponse: { name, response: { result: "seen" } },
        })),
      },
    ]);
    expect(server.broken).toEqual([]);
  });

  it("calls without ids get ids of their own, which the vendor never sees", async () => {
    const { turn } = await openBench([{ recording: "calls-without-ids.sse" }]);
    const { calls } = await turn();
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(3);
    expect(calls.every(({ callId }) => callId.startsWith("call_"))).toBe(true);
  });

  it("an id that Gemini uses again is another call here, and stays its id there", async () => {
    const { turn, server } = await openBench([{ recording: "parallel-calls-with-ids.sse" }]);
    const first = await turn();
    const second = await turn({ messages: answered(first, "found") });
    expect(second.calls.map(({ callId }) => callId)).not.toContain("fc-1");
    await turn({ messages: [...answered(first, "found"), ...answered(second, "found").slice(2)] });
    const sent = server.requests[2]?.body.contents;
    expect(sent[3].parts.map((part: { functionCall: { id: string } }) => part.functionCall.id)).toEqual(["fc-1", "fc-2"]);
    expect(server.broken).toEqual([]);
  });

  it("text and signature go back apart and in order, also a signature that came with an empty text", async () => {
    const parts = [{ text: "One. " }, { text: "Two." }, { text: "Three.", thoughtSignature: "s3" }, { text: "Four." }];
    const reply = {
      text:
        chunk({ candidates: [{ content: { parts } }] }) +
        chunk({ candidates: [{ content: { parts: [{ text: "", thoughtSignature: "s5" }] }, finishReason: "STOP" }] }),
    };
    const { turn, server } = await openBench([reply]);
    const first = await turn();
    expect(first.text).toBe("One. Two.Three.Four.");
    await turn({ messages: answered(first, "") });
    expect(server.requests[1]?.body.contents[1]).toEqual({
      role: "model",
      parts: [{ text: "One. Two." }, { text: "Three.", thoughtSignature: "s3" }, { text: "Four." }, { text: "", thoughtSignature: "s5" }],
    });
  });

  it("a text that was changed since loses its signature; what was added stands behind", async () => {
    const parts = [{ text: "One. ", thoughtSignature: "s1" }, { text: "Two." }];
    const { turn, server } = await openBench([{ text: chunk({ candidates: [{ content: { parts }, finishReason: "STOP" }] }) }]);
    const { message } = ended(await turn());
    const [reasoning] = message.parts;
    const edited = { role: "assistant", parts: [reasoning!, { type: "text", text: "One and two." }] } as const;
    await turn({ messages: [...question, edited, ...question.slice(1)] });
    expect(server.requests[1]?.body.contents[1].parts).toEqual([{ text: "One and two." }]);
  });

  it("signatures of another family of models do not go there: calls and results are told", async () => {
    const gemini3 = await openBench([{ recording: "parallel-calls-with-ids.sse" }], { model: "gemini-3-flash-preview" });
    const first = await gemini3.turn();
    const gemini2 = await openBench([{ recording: "whole-answer.sse" }], { model: "gemini-2.5-flash" });
    await gemini2.turn({ messages: answered(first, "found") });
    const [, model, user] = gemini2.server.requests[0]?.body.contents ?? [];
    expect(JSON.stringify([model, user])).not.toMatch(/functionCall|functionResponse|Signature/);
    expect(model.parts[0].text).toBe('[Called the tool mcp__desk__lookup with {"q":"lamp"}]');
    expect(user.parts[0].text).toBe("[Result of the tool mcp__desk__lookup]\nfound");
  });

  it("a signature that Gemini refuses costs one request: the calls are told instead", async () => {
    const refusal: Reply = {
      status: 400,
      json: { error: { code: 400, message: "Corrupted thought signature.", status: "INVALID_ARGUMENT" } },
    };
    const { turn, server } = await openBench([{ recording: "parallel-calls-with-ids.sse" }, refusal, { recording: "whole-answer.sse" }]);
    const first = await turn();
    const second = await turn({ messages: answered(first, "found") });
    expect(second.text).toBe("The lamp is on the desk.");
    expect(second.retries).toMatchObject([{ waitMs: 0, message: expect.stringContaining("calls of the history told as text") }]);
    expect(JSON.stringify(server.requests[2]?.body.contents)).not.toMatch(/functionCall|Signature/);
  });
});

describe("blocked, malformed, empty (GE-02)", () => {
  it("a blocked prompt is a refusal that names the reason, with one request", async () => {
    for (const [, reply] of feeds("prompt-blocked.sse")) {
      const { turn, server } = await openBench([reply]);
      const result = ended(await turn());
      expect(result).toMatchObject({ reason: "refusal", usage: { inputTokens: 77, outputTokens: 0 } });
      expect(result.message.parts).toEqual([{ type: "text", text: "Gemini blocked the prompt: PROHIBITED_CONTENT." }]);
      expect(server.requests).toHaveLength(1);
    }
  });

  it("a malformed call is asked for again, with a nudge and at once", async () => {
    const { turn, server } = await openBench([{ recording: "malformed-call.sse" }, { recording: "whole-answer.sse" }]);
    const result = await turn();
    expect(result.text).toBe("The lamp is on the desk.");
    expect(result.retries).toMatchObject([{ attempt: 1, waitMs: 0, message: expect.stringContaining("MALFORMED_FUNCTION_CALL") }]);
    const [first, second] = server.requests.map(({ body }) => body.contents);
    expect(second.slice(0, -1)).toEqual(first);
    expect(second.at(-1)).toMatchObject({ role: "user", parts: [{ text: expect.stringContaining('print(desk.lookup(q="lamp"))') }] });
  });

  it("a model that never gets its call right fails for good after four requests, named", async () => {
    const { turn, server } = await openBench([{ recording: "malformed-call.sse" }]);
    const { failure } = failed(await turn());
    expect(failure).toMatchObject({ kind: "backend_fatal" });
    expect(failure.message).toContain("MALFORMED_FUNCTION_CALL");
    expect(server.requests).toHaveLength(4);
  });

  it("an empty answer is an empty turn, not a failure", async () => {
    for (const [, reply] of feeds("empty-stop.sse")) {
      const { turn, server } = await openBench([reply]);
      const result = await turn();
      expect(ended(result)).toMatchObject({ reason: "stop", message: { parts: [] } });
      expect(server.requests).toHaveLength(1);
    }
  });

  it("half a sentence that was stopped for safety is no answer: the message says why", async () => {
    for (const [, reply] of feeds("stopped-for-safety.sse")) {
      const { turn, server } = await openBench([reply]);
      const result = ended(await turn());
      expect(result.reason).toBe("refusal");
      expect(result.message.parts).toEqual([
        { type: "text", text: "Gemini stopped its answer: SAFETY (HARM_CATEGORY_DANGEROUS_CONTENT HIGH)." },
      ]);
      expect(server.requests).toHaveLength(1);
    }
  });

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["RECITATION", "refusal"],
    ["LANGUAGE", "refusal"],
    ["BLOCKLIST", "refusal"],
    ["PROHIBITED_CONTENT", "refusal"],
    ["SPII", "refusal"],
    ["IMAGE_SAFETY", "refusal"],
    ["NO_IMAGE", "refusal"],
    ["A_WORD_OF_NEXT_YEAR", "stop"],
  ])("finish reason %s ends the turn as %s", async (finishReason, reason) => {
    const { turn } = await openBench([{ text: chunk({ candidates: [{ content: { parts: [{ text: "Well." }] }, finishReason }] }) }]);
    const result = ended(await turn());
    expect(result.reason).toBe(reason);
    if (reason === "refusal") expect(JSON.stringify(result.message.parts)).toContain(finishReason);
  });

  it.each(["UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"])("%s is nudged like a malformed call", async (finishReason) => {
    const { turn } = await openBench([{ text: chunk({ candidates: [{ finishReason }] }) }, { recording: "whole-answer.sse" }]);
    expect(await turn()).toMatchObject({ text: "The lamp is on the desk.", retries: [{ waitMs: 0 }] });
  });

  it("OTHER is a response that broke off: tried again twice, then a failure that names it", async () => {
    const { turn, server } = await openBench([{ text: chunk({ candidates: [{ finishReason: "OTHER" }] }) }]);
    expect(failed(await turn()).failure).toMatchObject({ kind: "backend_transient", message: expect.stringContaining("OTHER") });
    expect(server.requests).toHaveLength(3);
  });
});

describe("a call without arguments (CC-02)", () => {
  it.each(feeds("call-without-arguments.sse"))("is called with {} and sent back as {}: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ tool: "mcp__desk__now", input: {} }]);
    expect(result.calls[0]).not.toHaveProperty("inputError");
    server.script({ recording: "whole-answer.sse" });
    await turn({ messages: answered(result, "noon") });
    expect(server.requests[1]?.body.contents[1].parts).toEqual([{ functionCall: { name: "mcp__desk__now", args: {} } }]);
    expect(server.broken).toEqual([]);
  });
});

describe("an answer cut by the token limit (CC-08)", () => {
  it.each(feeds("cut-by-token-limit.sse"))("ends as length, with a warning that names the limit: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply]);
    const result = await turn({ maxOutputTokens: 4096 });
    expect(result.calls).toEqual([]);
    expect(ended(result)).toMatchObject({ reason: "length", message: { parts: [{ type: "text", text: "I will save the pl" }] } });
    expect(ended(result).warning).toBe("The response was cut at the limit of 4096 output tokens (max_tokens).");
    expect(server.requests[0]?.body.generationConfig.maxOutputTokens).toBe(4096);
  });
});

describe("noise and cuts (CC-03, CC-04, CC-06)", () => {
  const said = { candidates: [{ content: { parts: [{ text: "größer, 大きい, 📦" }] } }] };
  const end = { candidates: [{ finishReason: "STOP" }], usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 } };
  const noisy = `\ufeff: hello\r\n\r\nevent: message\r\nid: 7\r\ndata:${JSON.stringify(said)}\r\n\r\n: keepalive\r\ndata: : keepalive\r\n\r\ndata: {}\r\n\r\ndata: {"candidates":[{"index":0,\r\ndata: "content":{"parts":null}}]}\r\n\r\ndata: ${JSON.stringify(end)}`;

  it.each([
    ["whole", { text: noisy }],
    ["in single bytes", { text: noisy, cutEvery: 1 }],
    ["with lone carriage returns", { text: noisy.replaceAll("\r\n", "\r") }],
    ["with a gateway's farewell", { text: `${noisy}\r\n\r\ndata: [DONE]\r\n\r\n: bye\r\n\r\n` }],
  ])("comments, fields, odd line ends and foreign events are skipped: %s", async (_, reply) => {
    const { turn } = await openBench([reply]);
    const result = await turn();
    expect(result.text).toBe("größer, 大きい, 📦");
    expect(ended(result)).toMatchObject({ reason: "stop", usage: { inputTokens: 3, outputTokens: 4 } });
  });

  it.each([
    [
      "an error chunk",
      { text: chunk(said) + chunk({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }) },
      "overloaded",
    ],
    ["an end without a finish reason", { text: chunk(said) }, "broke off"],
    ["a reset", { text: chunk(said), end: "reset" }, "connection"],
    ["a torn line", { text: chunk(said) + chunk(end).slice(0, 30) }, "broke off"],
  ] as const)("%s: tried again, and nothing of the first attempt is left", async (_, reply, cause) => {
    const { turn, server } = await openBench([reply, { recording: "whole-answer.sse" }]);
    const result = await turn();
    expect(result.retries).toMatchObject([{ attempt: 1, message: expect.stringContaining(cause) }]);
    expect(ended(result).message.parts).toEqual([{ type: "text", text: "The lamp is on the desk." }]);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ["a whole answer in one JSON object", { json: { ...said, ...end, candidates: [{ ...said.candidates[0], finishReason: "STOP" }] } }],
    ["a list of chunks, as Google sends without alt=sse", { json: [said, end] }],
    ["a stream under the wrong name", { text: chunk(said) + chunk(end), headers: { "content-type": "application/json" } }],
  ])("is read: %s", async (_, reply) => {
    const { turn } = await openBench([reply]);
    expect(await turn()).toMatchObject({ text: "größer, 大きい, 📦", closing: { type: "turn_end", reason: "stop" } });
  });

  it("cut in two at every position a stream says the same", async () => {
    const bytes = new TextEncoder().encode(chunk(said) + chunk(end));
    const whole = await collect(openInMemory(bytes).stream(turnRequest(), new AbortController().signal));
    for (let cut = 1; cut < bytes.length; cut++) {
      const result = await collect(
        openInMemory(bytes.subarray(0, cut), bytes.subarray(cut)).stream(turnRequest(), new AbortController().signal),
      );
      expect(result.closing, `cut at ${cut}`).toEqual(whole.closing);
    }
  });

  it("cut off at every position a stream is either whole or a failure, never a part taken for the whole", async () => {
    const bytes = recording("call-without-arguments.sse");
    for (let end = 0; end <= bytes.length; end++) {
      const { closing, calls } = await collect(openInMemory(bytes.subarray(0, end)).stream(turnRequest(), new AbortController().signal));
      if (closing.type === "turn_end") expect(calls.length, `cut at ${end}`).toBe(1);
      else expect(closing.failure.kind, `cut at ${end}`).toBe("backend_transient");
    }
  });
});

describe("an answer that Google interrupts", () => {
  const part = (text: string, end: object) => ({
    text: chunk({
      candidates: [{ content: { parts: [{ text }] }, ...end }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2 },
    }),
  });

  it("goes on with its token, as one answer whose parts are all counted", async () => {
    const { turn, server } = await openBench([
      part("Half ", { finishReason: "CONTINUATION", continuationToken: "dG9r" }),
      part("and half.", { finishReason: "STOP" }),
    ]);
    const result = await turn();
    expect(result).toMatchObject({ text: "Half and half.", retries: [] });
    expect(ended(result).usage).toMatchObject({ inputTokens: 20, outputTokens: 4 });
    expect(server.requests.map(({ body }) => body.continuationToken)).toEqual([undefined, "dG9r"]);
  });

  it("ends some time", async () => {
    const { turn, server } = await openBench([part("On ", { finishReason: "CONTINUATION", continuationToken: "dG9r" })]);
    expect(failed(await turn()).failure.message).toContain("CONTINUATION");
    expect(server.requests).toHaveLength(6);
  });
});

/** The same adapter with its vendor in memory, for the many cuts of one recording. */
function openInMemory(...pieces: readonly Uint8Array[]) {
  const fetch: typeof globalThis.fetch = () =>
    Promise.resolve(new Response(streamOf(pieces), { headers: { "content-type": "text/event-stream" } }));
  return createGemini({ model: "replay-model", apiKey: KEY, maxIncompleteResponseRetries: 0, ambient: testAmbient({ fetch }) });
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
}
