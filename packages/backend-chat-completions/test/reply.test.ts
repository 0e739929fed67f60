import type { JsonValue } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { readUsage } from "../src/read-usage.js";
import type { Reply } from "./replay-server.js";
import { answered, ended, failed, openBench, turnRequest } from "./turns.js";

const chunk = (delta: JsonValue, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const sse = (...chunks: readonly string[]): Reply => ({ text: `${chunks.join("")}data: [DONE]\n\n` });
const whole: Reply = { recording: "whole-answer.sse" };

describe("what a message is made of", () => {
  it("thinking between tags is reasoning, and goes back between tags", async () => {
    const call = { tool_calls: [{ index: 0, id: "a", function: { name: "mcp__desk__now", arguments: "{}" } }] };
    const { turn, server } = await openBench([
      sse(chunk({ content: "<thi" }), chunk({ content: "nk>Hm.</think>\n" }), chunk({ content: "Wait." }), chunk(call, "tool_calls")),
      whole,
    ]);
    const result = await turn();
    expect(result).toMatchObject({ reasoning: "Hm.", text: "Wait.", calls: [{ tool: "mcp__desk__now" }] });
    await turn({ messages: answered(result, "noon") });
    expect(server.requests[1]?.body.messages[2].content).toBe("<think>Hm.</think>Wait.");
  });

  it("content in parts, with thoughts among them", async () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Yes." },
    ];
    const { turn } = await openBench([sse(chunk({ content: parts as JsonValue }, "stop"))]);
    expect(await turn()).toMatchObject({ reasoning: "Hm.", text: "Yes." });
  });

  it("a function call of the old kind is a call", async () => {
    const { turn } = await openBench([
      sse(
        chunk({ function_call: { name: "mcp__desk__lookup", arguments: '{"q":' } }),
        chunk({ function_call: { arguments: '"x"}' } }, "function_call"),
      ),
    ]);
    expect((await turn()).calls).toMatchObject([{ tool: "mcp__desk__lookup", input: { q: "x" } }]);
  });

  it("reasoning details are merged and kept, encrypted ones too", async () => {
    const detail = (fields: object) => chunk({ reasoning_details: [{ index: 0, type: "reasoning.text", ...fields }] } as JsonValue);
    const encrypted = chunk({ reasoning_details: [{ index: 1, type: "reasoning.encrypted", data: "x=" }] } as JsonValue);
    const { turn } = await openBench(
      [sse(detail({ text: "I " }), detail({ text: "see.", signature: "s" }), encrypted, chunk({ content: "Yes." }, "stop"))],
      { id: "openrouter" },
    );
    const result = await turn();
    expect(result.reasoning).toBe("I see.");
    expect(ended(result).message.parts[0]).toMatchObject({
      type: "reasoning",
      opaque: {
        field: "reasoning_details",
        details: [
          { index: 0, type: "reasoning.text", text: "I see.", signature: "s" },
          { index: 1, type: "reasoning.encrypted", data: "x=" },
        ],
      },
    });
  });

  it("arguments nobody can read come out marked, and go back as an empty object", async () => {
    const { turn, server } = await openBench([
      sse(chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "mcp__desk__lookup", arguments: '{"q": lamp}' } }] }, "tool_calls")),
      whole,
    ]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ input: {}, inputError: expect.stringContaining('{"q": lamp}') }]);
    await turn({ messages: answered(result, "no") });
    expect(server.requests[1]?.body.messages[2].tool_calls[0].function.arguments).toBe("{}");
    expect(server.broken).toEqual([]);
  });

  it("a call without a name is answered, not run", async () => {
    const { turn, server } = await openBench([
      sse(chunk({ tool_calls: [{ index: 0, id: "a", function: { arguments: "{}" } }] }, "tool_calls")),
      whole,
    ]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ tool: "unnamed_tool", inputError: expect.stringContaining("no tool name") }]);
    await turn({ messages: answered(result, "no") });
    expect(server.broken).toEqual([]);
  });

  it("a server that does not stream gives the same", async () => {
    const message = {
      role: "assistant",
      content: "Whole.",
      reasoning_content: "Hm.",
      tool_calls: [{ id: "a", type: "function", function: { name: "mcp__desk__now", arguments: "{}" } }],
    };
    const { turn } = await openBench([
      {
        json: {
          object: "chat.completion",
          choices: [{ index: 0, message, finish_reason: "tool_calls" }],
          usage: { prompt_tokens: 3, completion_tokens: 2 },
        },
      },
    ]);
    const result = await turn();
    expect(result).toMatchObject({ text: "Whole.", reasoning: "Hm.", calls: [{ tool: "mcp__desk__now" }] });
    expect(ended(result)).toMatchObject({ reason: "tool_calls", usage: { inputTokens: 3, outputTokens: 2 } });
  });

  it("a stream under the name of JSON is read as a stream", async () => {
    const { turn } = await openBench([{ ...sse(chunk({ content: "Yes." }, "stop")), headers: { "content-type": "application/json" } }]);
    expect((await turn()).text).toBe("Yes.");
  });

  it("choices other than the first are not read", async () => {
    const other = `data: ${JSON.stringify({ choices: [{ index: 1, delta: { content: "other" } }] })}\n\n`;
    const { turn } = await openBench([sse(chunk({ content: "mine" }), other, chunk({}, "stop"))]);
    expect((await turn()).text).toBe("mine");
  });
});

describe("how a turn ends", () => {
  const call = { tool_calls: [{ index: 0, id: "a", function: { name: "mcp__desk__now", arguments: "{}" } }] };
  it.each([
    ["stop", { content: "x" }, "stop"],
    ["stop", call, "tool_calls"],
    ["eos", { content: "x" }, "stop"],
    ["length", { content: "x" }, "length"],
    ["max_tokens", { content: "x" }, "length"],
    ["content_filter", { content: "x" }, "refusal"],
    ["stop", { refusal: "I will not." }, "refusal"],
  ])("finish %s with %j is %s", async (finish, delta, reason) => {
    const { turn } = await openBench([sse(chunk(delta as JsonValue), chunk({}, finish))]);
    expect(ended(await turn()).reason).toBe(reason);
  });

  it("a refusal says why, and a filter says that it was one", async () => {
    const { turn, server } = await openBench([sse(chunk({ refusal: "I will not." }), chunk({}, "stop"))]);
    expect(ended(await turn()).message.parts).toEqual([{ type: "text", text: "I will not." }]);
    server.script(sse(chunk({ content: "Half" }, "content_filter")));
    expect(ended(await turn()).warning).toContain("content_filter");
  });

  it("calls that were whole when the limit struck are kept, those that were not are named", async () => {
    const calls = {
      tool_calls: [
        { index: 0, id: "a", function: { name: "mcp__desk__now", arguments: "{}" } },
        { index: 1, id: "b", function: { name: "mcp__desk__lookup", arguments: "" } },
        { index: 2, id: "c", function: { name: "mcp__desk__save", arguments: '{"path":' } },
      ],
    };
    const { turn } = await openBench([sse(chunk(calls), chunk({}, "length"))]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ callId: "a" }]);
    expect(ended(result)).toMatchObject({
      reason: "length",
      warning: expect.stringContaining("The calls of mcp__desk__lookup, mcp__desk__save were cut off"),
    });
  });

  it.each([
    ["the vendor's finish word for its own failure", sse(chunk({ content: "Half" }), chunk({}, "error")), "finish_reason error"],
    ["an empty stream", { text: "" }, "empty stream"],
    ["a farewell and nothing else", { text: "data: [DONE]\n\n" }, "empty stream"],
    ["an error event without JSON", { text: "event: error\ndata: out of memory\n\n" }, "out of memory"],
    ["an error in place of a stream", { json: { error: { message: "worker lost", code: 502 } } }, "worker lost"],
  ])("%s is a failure, tried again", async (_, reply, cause) => {
    const { turn, server } = await openBench([reply as Reply]);
    const result = await turn();
    expect(failed(result).failure).toMatchObject({ kind: "backend_transient", message: expect.stringContaining(cause) });
    expect(server.requests).toHaveLength(3);
  });

  it("JSON that is no answer of this API is quoted", async () => {
    const { turn, server } = await openBench([{ json: { status: "ok", service: "gateway" } }]);
    expect(failed(await turn()).failure).toMatchObject({
      kind: "backend_fatal",
      message: expect.stringContaining('{"status":"ok","service":"gateway"}'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it("a finish word in every chunk does not end the message early", async () => {
    const bench = await openBench([]);
    const words = ["one ", "two ", "three"].map((word) => chunk({ content: word }, "stop"));
    bench.server.script({
      text: words.join(""),
      cutAt: [words[0]!.length, words[0]!.length + words[1]!.length],
      between: () => bench.ambient.clock.advance(3000),
    });
    expect((await bench.turn()).text).toBe("one two three");
  });

  it("another kind of text is no answer", async () => {
    const { turn, server } = await openBench([{ text: "hello", headers: { "content-type": "text/plain" } }]);
    expect(failed(await turn()).failure).toMatchObject({
      kind: "backend_fatal",
      message: expect.stringContaining("text/plain (status 200)"),
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("what a server teaches", () => {
  const refuse = (message: string): Reply => ({ status: 400, json: { error: { message, type: "invalid_request_error" } } });
  it.each([
    [
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "max_completion_tokens",
    ],
    [
      "temperature",
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      null,
    ],
    ["parallel_tool_calls", "parallel_tool_calls is not supported", null],
    ["tool_choice", "Tool choice must be auto", null],
  ])("%s is refused once, and not sent again", async (field, message, instead) => {
    const { turn, server } = await openBench([refuse(message), whole], {
      params: { max_tokens: 9, temperature: 0.2, parallel_tool_calls: true },
    });
    expect((await turn({ toolChoice: "required" })).retries).toMatchObject([{ waitMs: 0 }]);
    await turn({ toolChoice: "required" });
    expect(server.requests.map(({ body }) => field in body)).toEqual([true, false, false]);
    if (instead !== null) expect(server.requests[1]?.body).toHaveProperty(instead, 9);
  });

  it("a value that is wrong is the user's to mend: no second request", async () => {
    const { turn, server } = await openBench([refuse("temperature must be at most 2")], { params: { temperature: 9 } });
    expect(failed(await turn()).failure).toMatchObject({
      kind: "backend_fatal",
      message: expect.stringContaining("temperature must be at most 2"),
    });
    expect(server.requests).toHaveLength(1);
  });

  it("reasoning it does not know is left out, reasoning it misses is put in", async () => {
    const first = await openBench([
      { recording: "reasoning-content-with-call.sse" },
      refuse("messages.2.reasoning_content: Extra inputs are not permitted"),
      whole,
    ]);
    const messages = answered(await first.turn(), "lit");
    await first.turn({ messages });
    expect(first.server.requests.slice(1).map(({ body }) => "reasoning_content" in body.messages[2])).toEqual([true, false]);

    const second = await openBench([refuse("The reasoning_content in the thinking mode must be passed back to the API."), whole]);
    await second.turn({
      messages: messages.map((message) =>
        message.role === "assistant" ? { ...message, parts: message.parts.filter((part) => part.type !== "reasoning") } : message,
      ),
    });
    expect(second.server.requests.map(({ body }) => body.messages[2].reasoning_content)).toEqual([undefined, " "]);
  });

  it("a call that the server itself could not read is asked for once more", async () => {
    const garbled: Reply = {
      status: 400,
      json: { error: { message: "Failed to call a function.", code: "tool_use_failed", failed_generation: "<function=" } },
    };
    const once = await openBench([garbled, whole]);
    expect((await once.turn()).text).toBe("Second try, complete.");
    const always = await openBench([garbled]);
    expect(failed(await always.turn()).failure.kind).toBe("backend_fatal");
    expect(always.server.requests).toHaveLength(2);
  });
});

describe("tools with awkward names and schemas over the wire (SC-01, SC-02)", () => {
  it("are accepted, the same in every request, and called under their own names", async () => {
    const long = "mcp__knowledge_base__archive_the_quarterly_report_of_the_northern_branch_into_the_cold_store_";
    const tools = ["files.read", "files_read", `${long}a`, `${long}b`, "9lives", "read file", "查询", "a/b:c"].map((name) => ({
      name,
      description: name,
      input: { anyOf: [{ type: "array" }], properties: { rows: { type: "array" } } },
    }));
    const { turn, server } = await openBench([whole]);
    await turn({ tools });
    const wire: readonly string[] = server.requests[0]!.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    server.script(
      sse(
        chunk(
          { tool_calls: wire.map((name, index) => ({ index, id: `call_${index}`, function: { name, arguments: "{}" } })) },
          "tool_calls",
        ),
      ),
      whole,
    );
    const result = await turn({ tools });
    expect(result.calls.map(({ tool }) => tool)).toEqual(tools.map(({ name }) => name));
    expect(result.events.flatMap((event) => (event.type === "tool_input_delta" ? [event.tool] : []))).toEqual(
      tools.map(({ name }) => name),
    );
    await turn({ tools, messages: answered(result, "ok") });
    expect(server.broken).toEqual([]);
    expect(JSON.stringify(server.requests[2]?.body.tools)).toBe(JSON.stringify(server.requests[0]?.body.tools));
  });
});

describe("usage (CO-03)", () => {
  const price = { input: 2, cachedInput: 0.5, output: 8 };
  it.each([
    [
      { prompt_tokens: 10_000, completion_tokens: 1000, prompt_tokens_details: { cached_tokens: 8000 } },
      { inputTokens: 10_000, cachedTokens: 8000, costUsd: 0.016 },
    ],
    [
      { prompt_tokens: 10_000, completion_tokens: 1000, completion_tokens_details: { reasoning_tokens: 900 } },
      { reasoningTokens: 900, outputTokens: 1000, costUsd: 0.028 },
    ],
    [
      { prompt_tokens: 10_000, completion_tokens: 1000, prompt_tokens_details: null, completion_tokens_details: null },
      { cachedTokens: 0, reasoningTokens: 0, costUsd: 0.028 },
    ],
    [{ prompt_tokens: 10_000, completion_tokens: 1000, prompt_cache_hit_tokens: 8000 }, { cachedTokens: 8000 }],
    [{ prompt_tokens: 10_000, completion_tokens: 1000, cached_tokens: 8000 }, { cachedTokens: 8000 }],
    [
      { prompt_tokens: 100, completion_tokens: 10, total_tokens: 150, completion_tokens_details: { reasoning_tokens: 40 } },
      { outputTokens: 50, reasoningTokens: 40 },
    ],
    [{ prompt_tokens: 1, completion_tokens: 1, cost: 0.25 }, { costUsd: 0.25 }],
    [{ prompt_tokens: 7 }, { inputTokens: 7, outputTokens: 0 }],
    [{ prompt_tokens: Number.NaN, completion_tokens: -1 }, null],
    [{ total_tokens: 5 }, null],
    [null, null],
  ])("%j", (usage, expected) => {
    if (expected === null) expect(readUsage(usage, price)).toBeNull();
    else expect(readUsage(usage, price)).toMatchObject(expected);
  });

  it("an unknown price is unknown, not zero", () =>
    expect(readUsage({ prompt_tokens: 1, completion_tokens: 1 }, null)?.costUsd).toBeNull());

  it("a turn that was retried is counted once", async () => {
    const counted = sse(
      chunk({ content: "x" }, "stop"),
      `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100 } })}\n\n`,
    );
    const { turn } = await openBench([{ status: 500, json: {} }, counted], {
      prices: { asOf: "", source: "", models: { "replay-model": price } },
    });
    expect(ended(await turn()).usage).toMatchObject({ inputTokens: 1000, costUsd: 0.0028 });
  });

  it("Groq's field counts too", async () => {
    const { turn } = await openBench([
      sse(
        chunk({ content: "x" }, "stop"),
        `data: ${JSON.stringify({ choices: [], x_groq: { usage: { prompt_tokens: 4, completion_tokens: 2 } } })}\n\n`,
      ),
    ]);
    expect(ended(await turn()).usage).toMatchObject({ inputTokens: 4, outputTokens: 2 });
  });
});

describe("the connection", () => {
  it("is closed at the vendor as soon as the turn is cancelled", async () => {
    const { turn, server } = await openBench([{ recording: "one-chunk-then-silence.sse", end: "hang" }]);
    const stop = new AbortController();
    const result = await turn({}, stop.signal, (event) => event.type === "text_delta" && stop.abort());
    expect(failed(result)).toMatchObject({ failure: { kind: "backend_transient" }, partial: "I begin" });
    await server.clientLeft;
  });

  it("is closed when the reader leaves", async () => {
    const { backend, server } = await openBench([{ recording: "one-chunk-then-silence.sse", end: "hang" }]);
    for await (const event of backend.stream(turnRequest(), new AbortController().signal)) if (event.type === "text_delta") break;
    await server.clientLeft;
  });

  it("carries the key, our own headers, and nothing about the machine", async () => {
    const { turn, server } = await openBench([whole], { headers: { "X-Team": "blue" } });
    await turn();
    const {
      host,
      connection,
      "content-length": _length,
      "accept-encoding": _encoding,
      "accept-language": _language,
      "sec-fetch-mode": _mode,
      ...sent
    } = server.requests[0]!.headers;
    expect([typeof host, typeof connection]).toEqual(["string", "string"]);
    expect(sent).toEqual({
      authorization: "Bearer replay-key-not-secret-0000",
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": expect.any(String),
      "x-team": "blue",
    });
  });

  it("twenty turns at once do not disturb each other", async () => {
    const { turn, server } = await openBench([{ recording: "interleaved-calls-with-escapes.sse", cutEvery: 100 }]);
    const results = await Promise.all(Array.from({ length: 20 }, () => turn()));
    expect(new Set(results.map(({ text }) => text))).toEqual(new Set(["Zażółć 東京 🙂👩‍🚀 done."]));
    expect(results.every(({ calls }) => calls.length === 2)).toBe(true);
    expect(server.requests).toHaveLength(20);
  });
});
