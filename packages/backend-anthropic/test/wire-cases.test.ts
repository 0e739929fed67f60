import { AttemptError, type AttemptEvent, type AttemptFailure } from "@massgen/backend-kit";
import type { JsonValue } from "@massgen/contracts";
import { virtualClock } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { closeTurn } from "../src/close-turn.js";
import { openMessageStream } from "../src/message-stream.js";
import { readReply } from "../src/read-reply.js";
import { type Reply, recording } from "./replay-server.js";
import { begin, block, call, end, event, text } from "./stream-text.js";
import { answered, ended, failed, openBench, question, turnRequest } from "./turns.js";

/** Each recording as the network may deliver it. */
const feeds = (name: string): readonly (readonly [string, Reply])[] => [
  ["whole", { recording: name }],
  ["byte by byte", { recording: name, cutEvery: 1 }],
  ["in threes", { recording: name, cutEvery: 3 }],
];
const expected = (name: string): unknown => JSON.parse(recording(name).toString("utf8"));

describe("signed thoughts (AN-01)", () => {
  const name = "signed-and-redacted-thinking-with-two-calls";
  it.each(feeds(`${name}.sse`))("come back in their order and to the character: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply, { recording: "thinking-without-signature.sse" }, { recording: "whole-answer.sse" }]);
    const first = await turn();
    expect(first).toMatchObject({ reasoning: "First the desk,\nthen 回答。 \n", text: "Looking it up." });
    expect(first.calls.map(({ callId, tool, input }) => ({ callId, tool, input }))).toEqual([
      { callId: "toolu_an01a", tool: "mcp__desk__lookup", input: { q: "lamp" } },
      { callId: "toolu_an01b", tool: "mcp__desk__lookup", input: { q: "desk" } },
    ]);

    const second = await turn({ messages: answered(first, "found") });
    expect(server.requests[1]?.body.messages[1]).toEqual({ role: "assistant", content: expected(`${name}.json`) });
    // A relay lost the signature of this one: people may read it, the vendor would refuse it.
    expect(second).toMatchObject({ reasoning: "A relay lost my seal.", calls: [{ callId: "toolu_an01u" }] });

    await turn({ messages: [...answered(first, "found"), ...answered(second, "sealed").slice(question.length)] });
    expect(server.requests[2]?.body.messages[3].content).toEqual([
      { type: "tool_use", id: "toolu_an01u", name: "mcp__desk__lookup", input: { q: "seal" } },
    ]);
    expect(server.broken).toEqual([]);
  });

  it("go to no other model, and survive being written to a file", async () => {
    const { turn } = await openBench([{ recording: `${name}.sse` }]);
    const history = JSON.parse(JSON.stringify(answered(await turn(), "found")));
    const sentTo = async (model: string) => {
      const { turn: other, server } = await openBench([{ recording: "whole-answer.sse" }], { model });
      await other({ messages: history });
      expect(server.broken).toEqual([]);
      return server.requests[0]?.body.messages[1].content.map(({ type }: { type: string }) => type);
    };
    expect(await sentTo("replay-model-20261130")).toEqual(["thinking", "redacted_thinking", "text", "tool_use", "tool_use"]);
    expect(await sentTo("claude-opus-5-5")).toEqual(["text", "tool_use", "tool_use"]);
  });
});

describe("a turn that pauses (AN-02)", () => {
  it.each(feeds("pause-after-web-search.sse"))("goes on where it stopped, with what the vendor found untouched: %s", async (_, reply) => {
    const { turn, server } = await openBench([reply, { recording: "rest-after-pause.sse" }]);
    const result = await turn();
    expect(result.text).toBe("Let me check the table. Low water is at 06:12.");
    expect(ended(result)).toMatchObject({ reason: "stop", usage: { inputTokens: 840, outputTokens: 78 } });
    const { messages } = server.requests[1]?.body ?? {};
    expect(messages.at(-1)).toEqual(expected("pause-after-web-search.json"));
    expect(messages).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
    expect(server.broken).toEqual([]);
    expect(result.retries).toEqual([]);
  });

  it("shows the vendor's own call and its result, and leaves nothing of them for the host to answer", async () => {
    const { turn, server } = await openBench([{ recording: "pause-after-web-search.sse" }, { recording: "rest-after-pause.sse" }]);
    const result = await turn();
    expect(result.calls).toEqual([
      { type: "tool_call", callId: "srvtoolu_an02", tool: "web_search", input: { query: "tide table" }, executedBy: "backend" },
    ]);
    expect(result.events.filter((shown) => shown.type === "tool_result")).toEqual([
      {
        type: "tool_result",
        callId: "srvtoolu_an02",
        output: { parts: [{ type: "text", text: "Tide table — https://tides.example/table" }], isError: false },
      },
    ]);
    const { message } = ended(result);
    expect(message.parts.some((part) => part.type === "tool_call")).toBe(false);

    server.script({ recording: "whole-answer.sse" });
    await turn({ messages: [...question, message, { role: "user", parts: [{ type: "text", text: "And high water?" }] }] });
    const [said] = (expected("pause-after-web-search.json") as { content: unknown[] }).content.slice(0, 1);
    expect(server.requests[2]?.body.messages[1].content).toEqual([
      said,
      ...(expected("pause-after-web-search.json") as { content: unknown[] }).content.slice(1),
      { type: "text", text: "Low water is at 06:12." },
    ]);
    expect(server.broken).toEqual([]);
  });

  it("ten times and no more: then the turn fails and says why", async () => {
    const { turn, server } = await openBench([{ recording: "pause-after-web-search.sse" }]);
    const { failure } = failed(await turn());
    expect(failure).toMatchObject({ kind: "backend_fatal" });
    expect(failure.message).toContain("pause_turn");
    expect(server.requests).toHaveLength(10);
  });

  it("and then breaks off is taken up at the pause: nothing is searched and paid for twice", async () => {
    const { turn, server } = await openBench([
      { recording: "pause-after-web-search.sse" },
      { recording: "overloaded-in-mid-sentence.sse" },
      { recording: "rest-after-pause.sse" },
    ]);
    const result = await turn();
    expect(result.text).toBe("Let me check the table. Low water is at 06:12.");
    expect(result.retries).toHaveLength(1);
    expect(result.calls).toHaveLength(1);
    expect(server.requests.map(({ body }) => body.messages.length)).toEqual([1, 2, 2]);
  });
});

describe("an overloaded vendor (AN-03)", () => {
  const busy: Reply = {
    status: 529,
    headers: { "request-id": "req_replay_529" },
    json: { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_replay_529" },
  };
  it.each<[string, readonly Reply[]]>([
    ["refuses twice", [busy, busy]],
    ["says so before any content", [{ recording: "overloaded-before-content.sse" }]],
    ["says so in mid-sentence", [{ recording: "overloaded-in-mid-sentence.sse" }]],
  ])("%s: tried again, and the answer is there once", async (_, replies) => {
    const { turn, server } = await openBench([...replies, { recording: "whole-answer.sse" }]);
    const result = await turn();
    expect(result.text).toBe("The harbour opens at seven.");
    expect(ended(result).message.parts).toEqual([{ type: "text", text: "The harbour opens at seven." }]);
    expect(result.retries).toHaveLength(replies.length);
    for (const { message } of result.retries) expect(message).toContain("Anthropic is overloaded (status 529, request req_replay_");
    expect(server.requests).toHaveLength(replies.length + 1);
  });

  it("pauses longer each time, and leaves some of it to chance", async () => {
    const { turn } = await openBench([busy, busy, busy, { recording: "whole-answer.sse" }]);
    const waits = (await turn()).retries.map(({ waitMs }) => waitMs);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.every((waitMs) => waitMs % 500 !== 0)).toBe(true);
  });

  it("for ever: a bounded number of requests, and a failure that says what is wrong", async () => {
    const { turn, server } = await openBench([{ recording: "overloaded-before-content.sse" }]);
    const { failure } = failed(await turn());
    expect(failure).toMatchObject({ kind: "backend_transient", status: 529 });
    expect(failure.message).toContain("overloaded");
    expect(server.requests).toHaveLength(3);
  });
});

describe("a call without arguments (CC-02)", () => {
  it.each(["call-with-one-empty-fragment.sse", "call-without-fragments.sse"])("%s is called with {} and sent back as {}", async (name) => {
    for (const [, reply] of feeds(name)) {
      const { turn, server } = await openBench([reply, { recording: "whole-answer.sse" }]);
      const result = await turn();
      expect(result.calls).toMatchObject([{ tool: "mcp__desk__now", input: {} }]);
      expect(result.calls[0]).not.toHaveProperty("inputError");
      await turn({ messages: answered(result, "noon") });
      expect(server.requests[1]?.body.messages[1].content).toEqual([
        { type: "tool_use", id: result.calls[0]?.callId, name: "mcp__desk__now", input: {} },
      ]);
      expect(server.broken).toEqual([]);
    }
  });
});

describe("the token limit (CC-08)", () => {
  it.each(feeds("call-cut-by-token-limit.sse"))(
    "a call it cut is never handed out, and the warning names call and limit: %s",
    async (_, reply) => {
      const { turn, server } = await openBench([reply]);
      const result = await turn({ maxOutputTokens: 4096 });
      expect(result.calls).toEqual([]);
      expect(ended(result)).toMatchObject({ reason: "length", message: { parts: [{ type: "text", text: "I will save the plan." }] } });
      expect(ended(result).warning).toBe(
        "The response was cut at the limit of 4096 output tokens (max_tokens). The call of mcp__desk__save was cut off with it and left out.",
      );
      expect(server.requests[0]?.body.max_tokens).toBe(4096);
    },
  );

  it("keeps a call that was whole before the cut", async () => {
    const { turn } = await openBench([
      {
        text: begin() + call(0, "t1", "mcp__desk__lookup", '{"q":"a"}') + call(1, "t2", "mcp__desk__lookup", '{"q":"b') + end("max_tokens"),
      },
    ]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ callId: "t1" }]);
    expect(ended(result)).toMatchObject({ reason: "length", message: { parts: [{ callId: "t1" }] } });
  });

  it("cuts a search of the vendor's own too: half a call does not go back", async () => {
    const search = block(
      1,
      { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
      { type: "input_json_delta", partial_json: '{"q' },
    );
    const { turn } = await openBench([{ text: begin() + text(0, "Wait.") + search + end("max_tokens") }]);
    expect(ended(await turn()).message.parts).toEqual([{ type: "text", text: "Wait." }]);
  });
});

describe("cut off anywhere", () => {
  it("a stream is either whole or a failure, never a part taken for the whole", async () => {
    const bytes = recording("whole-answer.sse");
    for (let cut = 0; cut <= bytes.length; cut++) {
      const read = await readBytes(bytes.subarray(0, cut));
      if ("events" in read) expect(textIn(read.events), `cut at ${cut}`).toBe("The harbour opens at seven.");
      else expect(read.failure.kind, `cut at ${cut}`).toBe("backend_transient");
    }
  });

  const hurts = (byte: number | undefined) => byte !== undefined && (byte >= 0x80 || byte === 0x5c || byte === 0x0a);
  it.each([
    ["anywhere", "thinking-without-signature.sse", () => true],
    ["in and around characters, escapes and line ends", "signed-and-redacted-thinking-with-two-calls.sse", hurts],
  ] as const)("between two packets nothing changes: cut %s", async (_, name, isWanted) => {
    const bytes = recording(name);
    const cuts = Array.from(bytes, (_byte, cut) => cut).filter((cut) => cut > 0 && (isWanted(bytes[cut - 1]) || isWanted(bytes[cut])));
    expect(cuts.length).toBeGreaterThan(100);
    const whole = JSON.stringify(await readBytes(bytes));
    expect(whole).toContain("turn_end");
    const differing: number[] = [];
    for (const cut of cuts) if (JSON.stringify(await readBytes(bytes.subarray(0, cut), bytes.subarray(cut))) !== whole) differing.push(cut);
    expect(differing).toEqual([]);
  });

  it("after the stop reason nothing is missed, not even the farewell", async () => {
    const half = begin() + text(0, "All said.") + end("end_turn").split("event: message_stop")[0];
    const { turn, server } = await openBench([{ text: half, end: "reset" }]);
    expect((await turn()).text).toBe("All said.");
    expect(server.requests).toHaveLength(1);
  });
});

describe("odd streams", () => {
  it("pieces that come in one packet are handed out as one, in their order", async () => {
    const read = await readPieces(recording("signed-and-redacted-thinking-with-two-calls.sse"));
    expect("events" in read && read.events.map((shown) => shown.type)).toEqual([
      "reasoning_delta",
      "text_delta",
      "tool_input_delta",
      "tool_input_delta",
      "tool_call",
      "tool_call",
      "turn_end",
    ]);
  });

  it("noise, unknown events, unknown blocks and blocks nobody began change nothing", async () => {
    const noise = `: hello\n\ndata: : keepalive\n\n${event("ping")}${event("content_block_sparkle", { index: 9 })}data: {}\n\n`;
    const unbegun = event("content_block_delta", { index: 5, delta: { type: "text_delta", text: "Said." } });
    const { turn } = await openBench([{ text: noise + begin() + noise + unbegun + noise + end("end_turn") }]);
    const result = await turn();
    expect(result.text).toBe("Said.");
    expect(ended(result)).toMatchObject({ reason: "stop", usage: { inputTokens: 31, outputTokens: 17 } });
  });

  it("a server that does not stream is read all the same", async () => {
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "seal" },
        { type: "text", text: "Said." },
        { type: "tool_use", id: "t1", name: "mcp__desk__lookup", input: { q: "x" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const { turn, server } = await openBench([{ json: message }, { recording: "whole-answer.sse" }]);
    const result = await turn();
    expect(result).toMatchObject({ text: "Said.", reasoning: "Hm.", calls: [{ callId: "t1", input: { q: "x" } }] });
    expect(ended(result).usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
    await turn({ messages: answered(result, "found") });
    expect(server.requests[1]?.body.messages[1].content).toEqual(message.content);
  });

  it("ids that a gateway repeats or leaves out are replaced", async () => {
    const reply = begin() + call(0, "", "mcp__desk__now", "{}") + call(1, "t", "mcp__desk__now", "{}") + end("tool_use");
    const { turn, server } = await openBench([{ text: reply }]);
    const first = await turn();
    const second = await turn({ messages: answered(first, "noon") });
    const ids = [...first.calls, ...second.calls].map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain("");
    expect(server.broken).toEqual([]);
  });

  it("the model declines: the reason is told, and no call of it is left", async () => {
    const details = { stop_details: { type: "refusal", category: "cyber", explanation: "This could do harm." } };
    const reply = begin() + text(0, "I will") + call(1, "t1", "mcp__desk__now", "{}") + end("refusal", { output_tokens: 2 }, details);
    const { turn } = await openBench([{ text: reply }]);
    const result = await turn();
    expect(result.calls).toEqual([]);
    expect(ended(result)).toMatchObject({
      reason: "refusal",
      message: { parts: [{ text: "I will" }, { text: "This could do harm." }] },
      warning: expect.stringContaining("cyber"),
    });
  });

  it("a full context window is an overflow, not an answer", async () => {
    const { turn, server } = await openBench([{ text: begin() + text(0, "And so") + end("model_context_window_exceeded") }]);
    const result = failed(await turn());
    expect(result).toMatchObject({ failure: { kind: "context_overflow" }, partial: "And so" });
    expect(server.requests).toHaveLength(1);
  });
});

/** What one response comes to when its bytes arrive in these pieces, whatever pieces it is handed out in. */
async function readBytes(...pieces: readonly Uint8Array[]) {
  const read = await readPieces(...pieces);
  return "events" in read ? { events: joined(read.events) } : read;
}

async function readPieces(...pieces: readonly Uint8Array[]): Promise<{ events: readonly AttemptEvent[] } | { failure: AttemptFailure }> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
  const stream = openMessageStream({ toTool: (name) => name, claimId: (wanted) => wanted });
  const { signal } = new AbortController();
  const context = {
    asked: { vendor: "Anthropic", model: "replay-model", url: "http://127.0.0.1/v1/messages", secrets: [] },
    attempt: { number: 1, signal, alive() {} },
    clock: virtualClock(),
  };
  const events: AttemptEvent[] = [];
  try {
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    for await (const batch of readReply(response, stream, context)) events.push(...batch);
  } catch (error) {
    if (error instanceof AttemptError) return { failure: error.failure };
    throw error;
  }
  const closing = {
    model: "replay-model",
    inputFromWire: (_: string, input: JsonValue) => input,
    request: turnRequest(),
    price: null,
    outputLimit: 9,
  };
  return { events: [...events, ...closeTurn([stream], closing)] };
}

/** Pieces that follow each other are one: into how many a text falls depends on the packets. */
function joined(events: readonly AttemptEvent[]): readonly AttemptEvent[] {
  return events.reduce<AttemptEvent[]>((all, shown) => {
    const last = all.at(-1);
    if (shown.type === "text_delta" && last?.type === "text_delta") all[all.length - 1] = { ...shown, text: last.text + shown.text };
    else if (shown.type === "reasoning_delta" && last?.type === "reasoning_delta")
      all[all.length - 1] = { ...shown, text: last.text + shown.text };
    else if (shown.type === "tool_input_delta" && last?.type === "tool_input_delta" && last.callId === shown.callId)
      all[all.length - 1] = { ...shown, json: last.json + shown.json };
    else all.push(shown);
    return all;
  }, []);
}

const textIn = (events: readonly AttemptEvent[]): string => events.map((shown) => (shown.type === "text_delta" ? shown.text : "")).join("");
