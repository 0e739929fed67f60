import { describe, expect, it } from "vitest";
import { readUsage } from "../src/read-usage.js";
import type { Reply } from "./replay-server.js";
import { answered, ended, failed, openBench, question } from "./turns.js";
import { added, argumentsDelta, callItem, completed, done, event, reasoningItem, sse, textDelta, textItem } from "./wire.js";

const text: Reply = { recording: "text.sse" };
const lookup = (id: string, q: string) => callItem(id, "mcp__desk__lookup", JSON.stringify({ q }));

describe("what a message is made of", () => {
  it("calls that stream side by side stay apart, by their item and not by their order", async () => {
    const { turn } = await openBench([
      sse(
        added(0, { ...lookup("a", ""), arguments: "", status: "in_progress" }),
        added(1, { ...lookup("b", ""), arguments: "", status: "in_progress" }),
        argumentsDelta("a", 0, '{"q":'),
        argumentsDelta("b", 1, '{"q":"d'),
        argumentsDelta("a", 0, '"lamp"}'),
        argumentsDelta("b", 1, 'esk"}'),
        done(1, lookup("b", "desk")),
        done(0, lookup("a", "lamp")),
        completed([lookup("a", "lamp"), lookup("b", "desk")]),
      ),
    ]);
    expect((await turn()).calls).toMatchObject([
      { callId: "call_a", input: { q: "lamp" } },
      { callId: "call_b", input: { q: "desk" } },
    ]);
  });

  it.each([
    ["a gateway that gives every event another id", (index: number, at: string) => ({ id: `x${index}${at}`, index })],
    ["a server that counts every item as the first", (index: number) => ({ id: `fc_${index}`, index: 0 })],
  ])("%s is followed all the same", async (_, place) => {
    const items = ["lamp", "desk"].map((q, index) => lookup(String(index), q));
    const events = items.flatMap((item, index) => {
      const at = (when: string) => place(index, when);
      return [
        added(at("1").index, { ...item, id: at("1").id, arguments: "", status: "in_progress" }),
        event("response.function_call_arguments.delta", { item_id: at("2").id, output_index: at("2").index, delta: item["arguments"]! }),
        event("response.function_call_arguments.done", { item_id: at("3").id, output_index: at("3").index, arguments: item["arguments"]! }),
        done(at("4").index, { ...item, id: at("4").id }),
      ];
    });
    const { turn } = await openBench([sse(...events, completed(items.map((item, index) => ({ ...item, id: place(index, "5").id }))))]);
    expect((await turn()).calls).toMatchObject([
      { callId: "call_0", input: { q: "lamp" } },
      { callId: "call_1", input: { q: "desk" } },
    ]);
  });

  it.each([
    ["only in the last event", [completed([reasoningItem("r", "Hm."), textItem("m", "Yes."), lookup("a", "lamp")])]],
    [
      "only as whole items, with an empty last event",
      [done(0, reasoningItem("r", "Hm.")), done(1, textItem("m", "Yes.")), done(2, lookup("a", "lamp")), completed()],
    ],
    [
      "in pieces, and in nothing else",
      [
        event("response.reasoning_summary_text.delta", { item_id: "r", output_index: 0, summary_index: 0, delta: "Hm." }),
        textDelta(1, "Ye"),
        textDelta(1, "s."),
        event("response.function_call_arguments.done", {
          item_id: "fc_a",
          output_index: 2,
          name: "mcp__desk__lookup",
          arguments: '{"q":"lamp"}',
        }),
        completed(),
      ],
    ],
  ])("a response that comes %s is whole", async (_, events) => {
    const { turn } = await openBench([sse(...events)]);
    const result = await turn();
    expect(result).toMatchObject({ reasoning: "Hm.", text: "Yes.", calls: [{ tool: "mcp__desk__lookup", input: { q: "lamp" } }] });
    expect(ended(result).message.parts).toMatchObject([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Yes." },
      { type: "tool_call" },
    ]);
  });

  it("the last word adds what the pieces lacked, and wins where it says something else", async () => {
    const { turn } = await openBench([
      sse(
        textDelta(0, "Half"),
        event("response.output_text.done", { item_id: "m0", output_index: 0, content_index: 0, text: "Half and half." }),
        added(1, { ...lookup("a", ""), arguments: "", status: "in_progress" }),
        argumentsDelta("a", 1, '{"q":"la'),
        done(1, lookup("a", "lamp")),
        added(2, { ...lookup("b", ""), arguments: "", status: "in_progress" }),
        argumentsDelta("b", 2, '{"q":"garbled"}'),
        completed([textItem("m0", "Half and half."), lookup("a", "lamp"), lookup("b", "desk")]),
      ),
    ]);
    const result = await turn();
    expect(result).toMatchObject({ text: "Half and half.", calls: [{ input: { q: "lamp" } }, { input: { q: "desk" } }] });
    expect(ended(result).message.parts[0]).toEqual({ type: "text", text: "Half and half." });
  });

  it("parts of a summary are paragraphs; a model's own thoughts are no summary", async () => {
    const summary = (index: number, delta: string) =>
      event("response.reasoning_summary_text.delta", { item_id: "r", output_index: 0, summary_index: index, delta });
    const { turn, server } = await openBench([sse(summary(0, "One"), summary(0, "."), summary(1, "Two."), completed())]);
    const result = await turn();
    expect(result.reasoning).toBe("One.\n\nTwo.");
    expect(ended(result).message.parts).toEqual([{ type: "reasoning", text: "One.\n\nTwo." }]);
    server.script(
      sse(event("response.reasoning_text.delta", { item_id: "r", output_index: 0, content_index: 0, delta: "Hm." }), completed()),
    );
    expect((await turn()).events.filter(({ type }) => type === "reasoning_delta")).toEqual([
      { type: "reasoning_delta", text: "Hm.", summary: false },
    ]);
  });

  it("a free-form call is given its text", async () => {
    const item = {
      id: "c",
      type: "custom_tool_call",
      call_id: "call_c",
      name: "mcp__desk__now",
      input: "plain *text*",
      status: "completed",
    };
    const { turn, server } = await openBench([sse(done(0, item), completed([item])), text]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ callId: "call_c", input: { input: "plain *text*" } }]);
    await turn({ messages: answered(result, "ok") });
    expect(server.broken).toEqual([]);
  });

  it("arguments nobody can read come out marked, and go back as an empty object", async () => {
    const item = callItem("a", "mcp__desk__lookup", '{"q": lamp}');
    const { turn, server } = await openBench([sse(done(0, item), completed([item])), text]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ input: {}, inputError: expect.stringContaining('{"q": lamp}') }]);
    await turn({ messages: answered(result, "no") });
    expect(server.requests[1]?.body.input[1].arguments).toBe("{}");
    expect(server.broken).toEqual([]);
  });

  it("a call without a name is answered, not run; one without an id gets one", async () => {
    const items = [callItem("a", "", "{}"), callItem("b", "mcp__desk__now", "{}", { call_id: "" })];
    const { turn, server } = await openBench([sse(completed(items)), text]);
    const result = await turn();
    expect(result.calls).toMatchObject([
      { tool: "unnamed_tool", inputError: expect.stringContaining("no tool name") },
      { tool: "mcp__desk__now" },
    ]);
    expect(result.calls.every(({ callId }) => callId !== "")).toBe(true);
    await turn({ messages: answered(result, "no") });
    expect(server.broken).toEqual([]);
  });

  it("an id of an earlier response is replaced: ids are unique in a conversation", async () => {
    const { turn, server } = await openBench([sse(completed([lookup("a", "lamp")]))]);
    const first = await turn();
    const second = await turn({ messages: answered(first, "found") });
    expect(first.calls[0]?.callId).toBe("call_a");
    expect(second.calls[0]?.callId).not.toBe("call_a");
    await turn({ messages: [...answered(first, "found"), ...answered(second, "found").slice(question.length)] });
    expect(server.broken).toEqual([]);
  });

  it("a server that does not stream gives the same", async () => {
    const output = [textItem("m", "Whole."), lookup("a", "lamp")];
    const { turn } = await openBench([
      { json: { object: "response", status: "completed", error: null, output, usage: { input_tokens: 3, output_tokens: 2 } } },
    ]);
    const result = await turn();
    expect(result).toMatchObject({ text: "Whole.", calls: [{ callId: "call_a" }] });
    expect(ended(result)).toMatchObject({ reason: "tool_calls", usage: { inputTokens: 3, outputTokens: 2 } });
  });

  it("a stream under the name of JSON is read as a stream, and noise in it is skipped", async () => {
    const noise =
      ': ping\n\ndata: : keepalive\n\nevent: keepalive\ndata: {"type":"keepalive"}\n\ndata: 5\n\nevent: response.new_thing\ndata: {"type":"response.new_thing"}\n\n';
    const reply = sse(noise, textDelta(0, "Ye"), noise, textDelta(0, "s."), noise, completed(), noise, "data: [DONE]\n\n");
    const { turn } = await openBench([{ ...reply, headers: { "content-type": "application/json" } }]);
    expect((await turn()).text).toBe("Yes.");
  });

  it("an event whose type stands only in its event line counts", async () => {
    const { turn } = await openBench([
      { text: 'event: response.output_text.delta\ndata: {"delta":"Yes."}\n\nevent: response.completed\ndata: {"response":{}}\n\n' },
    ]);
    expect((await turn()).text).toBe("Yes.");
  });
});

describe("tools that the vendor runs itself", () => {
  const search = {
    id: "ws_1",
    type: "web_search_call",
    status: "completed",
    action: { type: "search", query: "tide", sources: [{ type: "url", url: "https://tide.example/1" }] },
  };
  const code = {
    id: "ci_1",
    type: "code_interpreter_call",
    status: "completed",
    container_id: "cntr",
    code: "print(1)",
    outputs: [
      { type: "logs", logs: "1\n" },
      { type: "image", url: "https://files.example/plot.png" },
    ],
  };
  const output = [
    reasoningItem("r1", "Search."),
    search,
    reasoningItem("r2", "Run."),
    code,
    textItem("m", "At noon."),
    lookup("a", "lamp"),
  ];
  const reply = sse(
    ...output.slice(0, 2).map((item, index) => done(index, item)),
    event("response.web_search_call.completed", { item_id: "ws_1", output_index: 1 }),
    completed(output),
  );

  it("are shown with their results, once, and are not the host's to answer", async () => {
    const { turn } = await openBench([reply]);
    const { events, closing } = await turn();
    expect(
      events.filter((event) => (event.type === "tool_call" && event.executedBy === "backend") || event.type === "tool_result"),
    ).toEqual([
      { type: "tool_call", callId: "ws_1", tool: "web_search", input: { type: "search", query: "tide" }, executedBy: "backend" },
      { type: "tool_result", callId: "ws_1", output: { parts: [{ type: "text", text: "https://tide.example/1" }], isError: false } },
      { type: "tool_call", callId: "ci_1", tool: "code_interpreter", input: { code: "print(1)" }, executedBy: "backend" },
      {
        type: "tool_result",
        callId: "ci_1",
        output: {
          parts: [
            { type: "text", text: "1\n" },
            { type: "media", mediaType: "image/png", data: new URL("https://files.example/plot.png") },
          ],
          isError: false,
        },
      },
    ]);
    expect(closing).toMatchObject({ reason: "tool_calls", message: { parts: { length: 6 } } });
  });

  it("go back as they came, each in its place", async () => {
    const { turn, server } = await openBench([reply, text]);
    const first = await turn();
    await turn({ messages: answered(first, "lit") });
    expect(server.requests[1]?.body.input.slice(1, 5)).toEqual(output.slice(0, 4));
    expect(server.broken).toEqual([]);
  });

  it("of xAI report a search as a free-form call of a tool that is none of ours", async () => {
    const item = {
      id: "ctc_1",
      type: "custom_tool_call",
      call_id: "xs_1",
      name: "x_keyword_search",
      status: "completed",
      input: '{"query":"tide"}',
    };
    const { turn, server } = await openBench(
      [
        sse(
          added(0, { ...item, input: "", status: "in_progress" }),
          event("response.custom_tool_call_input.delta", { item_id: "ctc_1", output_index: 0, delta: '{"query":"tide"}' }),
          done(0, item),
          completed([item, textItem("m", "At noon.")]),
        ),
        text,
      ],
      { id: "grok" },
    );
    const result = await turn();
    expect(result.events.filter(({ type }) => type.startsWith("tool_"))).toMatchObject([
      { type: "tool_call", callId: "ctc_1", tool: "x_keyword_search", input: { query: "tide" }, executedBy: "backend" },
      { type: "tool_result", callId: "ctc_1" },
    ]);
    expect(ended(result).reason).toBe("stop");
    await turn({ messages: [...question, ended(result).message, { role: "user", parts: [{ type: "text", text: "And?" }] }] });
    expect(server.requests[1]?.body.input[2]).toEqual(item);
    expect(server.broken).toEqual([]);
  });

  it("that failed say so, and one nobody knows is shown by its own fields", async () => {
    const { turn } = await openBench([
      sse(
        completed([
          { ...search, status: "failed", action: null },
          { id: "n", type: "new_thing_call", status: "completed", query: "x", result: "AAAA" },
        ]),
      ),
    ]);
    expect((await turn()).events.filter((event) => event.type === "tool_call" || event.type === "tool_result")).toMatchObject([
      { tool: "web_search", input: {} },
      { output: { parts: [{ text: "failed" }], isError: true } },
      { tool: "new_thing", input: { query: "x" } },
      { output: { parts: [{ text: "completed" }] } },
    ]);
  });
});

describe("how a turn ends", () => {
  const incomplete = (reason: string, output: Parameters<typeof completed>[0] = []) =>
    event("response.incomplete", { response: { status: "incomplete", incomplete_details: { reason }, output } });

  it("calls that were whole when the limit struck are kept, those that were not are named", async () => {
    const output = [
      lookup("a", "lamp"),
      callItem("n", "mcp__desk__now", ""),
      callItem("b", "mcp__desk__lookup", "", { status: "incomplete" }),
      callItem("c", "mcp__desk__save", '{"path":', { status: "incomplete" }),
    ];
    const { turn } = await openBench([sse(incomplete("max_output_tokens", output))]);
    const result = await turn();
    expect(result.calls).toMatchObject([{ callId: "call_a" }, { callId: "call_n" }]);
    expect(ended(result)).toMatchObject({
      reason: "length",
      warning: expect.stringContaining("The calls of mcp__desk__lookup, mcp__desk__save were cut off"),
    });
  });

  it("thoughts that the limit cut are not sent back, and neither are thoughts that led to nothing", async () => {
    const cut = { ...reasoningItem("r2", "Half"), status: "incomplete" };
    for (const output of [[reasoningItem("r1", "Whole"), cut], [reasoningItem("r1", "Whole")]]) {
      const { turn, server } = await openBench([sse(incomplete("max_output_tokens", output)), text]);
      const result = await turn();
      await turn({ messages: [...question, ended(result).message, { role: "user", parts: [{ type: "text", text: "Be brief." }] }] });
      expect(JSON.stringify(server.requests[1]?.body.input)).not.toContain("enc-");
      expect(server.broken).toEqual([]);
    }
  });

  it("a limit nobody knows is named", async () => {
    const { turn } = await openBench([sse(textDelta(0, "x"), incomplete("max_tool_calls"))]);
    expect(ended(await turn())).toMatchObject({ reason: "length", warning: "The vendor cut the response (incomplete: max_tool_calls)." });
  });

  it("a refusal beside a call is no refusal of the turn", async () => {
    const refusal = {
      id: "m",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "refusal", refusal: "Not that." }],
    };
    const { turn } = await openBench([sse(completed([refusal, lookup("a", "lamp")]))]);
    expect(ended(await turn()).reason).toBe("tool_calls");
  });

  it.each([
    ["an error object of a gateway", { text: 'data: {"error":{"message":"worker lost","code":502}}\n\n' }, "worker lost"],
    ["an error event without JSON", { text: "event: error\ndata: out of memory\n\n" }, "out of memory"],
    ["an error event with an inner error", sse(event("error", { error: { type: "server_error", message: "inner fault" } })), "inner fault"],
    ["an error in place of a stream", { json: { error: { message: "worker lost", code: 502 } } }, "worker lost"],
    ["a failure without a word", sse(event("response.failed", { response: { status: "failed", error: null } })), "response.failed"],
    [
      "a whole response that failed",
      { json: { output: [], status: "failed", error: { code: "server_error", message: "fault" } } },
      "fault",
    ],
  ])("%s is a failure, tried again", async (_, reply, cause) => {
    const { turn, server } = await openBench([reply as Reply]);
    expect(failed(await turn()).failure).toMatchObject({ kind: "backend_transient", message: expect.stringContaining(cause) });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ["invalid_prompt", "backend_fatal"],
    ["invalid_image_url", "backend_fatal"],
    ["insufficient_quota", "backend_fatal"],
    ["context_length_exceeded", "context_overflow"],
  ])("a response that failed with %s is %s, and is not asked for again", async (code, kind) => {
    const { turn, server } = await openBench([sse(event("response.failed", { response: { error: { code, message: "No." } } }))]);
    expect(failed(await turn()).failure.kind).toBe(kind);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["JSON that is no answer of this API", { json: { status: "ok", service: "gateway" } }, '{"status":"ok","service":"gateway"}'],
    ["another kind of text", { text: "hello", headers: { "content-type": "text/plain" } }, "text/plain (status 200)"],
    ["a page", { recording: "web-page.html" }, "text/html"],
  ])("%s is quoted, and asked for once", async (_, reply, quote) => {
    const { turn, server } = await openBench([reply as Reply]);
    expect(failed(await turn()).failure).toMatchObject({ kind: "backend_fatal", message: expect.stringContaining(quote) });
    expect(server.requests).toHaveLength(1);
  });
});

describe("usage (CO-03)", () => {
  const price = { input: 2, cachedInput: 0.5, output: 8 };
  const counted = { input_tokens: 10_000, output_tokens: 1000 };
  it.each([
    [
      { ...counted, input_tokens_details: { cached_tokens: 8000 }, output_tokens_details: { reasoning_tokens: 900 }, total_tokens: 11_000 },
      { inputTokens: 10_000, cachedTokens: 8000, outputTokens: 1000, reasoningTokens: 900, costUsd: 0.016 },
    ],
    [
      { ...counted, output_tokens_details: { reasoning_tokens: 500 }, total_tokens: 11_500 },
      { outputTokens: 1500, reasoningTokens: 500 },
    ],
    [
      { ...counted, input_tokens_details: null, output_tokens_details: null },
      { cachedTokens: 0, reasoningTokens: 0, costUsd: 0.028 },
    ],
    [{ ...counted, input_tokens_details: { cache_write_tokens: 10_000 } }, { costUsd: 0.033 }],
    [{ ...counted, cost: 0.5 }, { costUsd: 0.5 }],
    [{ input_tokens: 5 }, { inputTokens: 5, outputTokens: 0 }],
  ])("%j is %j", (usage, expected) => expect(readUsage(usage, price)).toMatchObject(expected));

  it("of an unknown model costs an unknown sum, and none at all is no usage", () => {
    expect(readUsage(counted, null)?.costUsd).toBeNull();
    expect([readUsage(null, price), readUsage({}, price), readUsage({ input_tokens: "many" }, price)]).toEqual([null, null, null]);
  });

  it("nobody sent is estimated, and says so", async () => {
    const { turn } = await openBench([sse(textDelta(0, "No bill."), completed())]);
    expect(ended(await turn()).usage).toMatchObject({ estimated: true, outputTokens: 3, costUsd: null });
  });

  it("of a model with a price has a cost", async () => {
    const { turn } = await openBench([text], { model: "gpt-5-mini-2025-08-07" });
    expect(ended(await turn()).usage).toMatchObject({
      inputTokens: 390,
      outputTokens: 9,
      costUsd: expect.closeTo((390 * 0.25 + 9 * 2) / 1e6, 10),
    });
  });
});
