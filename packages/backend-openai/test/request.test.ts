import type { JsonValue, Message, TurnRequest } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { createOpenAI, type OpenAIOptions } from "../src/index.js";
import { bodyOf, warningsOf } from "./build-body.js";
import { deskTools, question } from "./turns.js";
import { brokenRules } from "./vendor-rules.js";

const grok = { id: "grok", model: "grok-4" } as const;

describe("the body", () => {
  it("is this, for a plain question", () => {
    expect(bodyOf({ tools: deskTools.slice(1, 2) })).toEqual({
      model: "replay-model",
      tools: [
        {
          type: "function",
          name: "mcp__desk__now",
          description: "Tells the time.",
          parameters: { type: "object", properties: {} },
          strict: false,
        },
      ],
      instructions: "You have a desk.",
      input: [{ role: "user", content: "What is on the desk?" }],
      store: false,
      include: ["reasoning.encrypted_content"],
      stream: true,
    });
  });

  it("begins the same as long as the history does, whatever the tool choice", () => {
    const longer: readonly Message[] = [...question, { role: "assistant", parts: [{ type: "text", text: "A lamp." }] }];
    const [one, two] = [JSON.stringify(bodyOf()), JSON.stringify(bodyOf({ messages: longer, toolChoice: "required" }))];
    const shared = one.slice(0, one.indexOf("]", one.indexOf('"input"')));
    expect(shared).toContain("What is on the desk?");
    expect(two.startsWith(shared)).toBe(true);
    expect(JSON.stringify(bodyOf())).toBe(one);
  });

  it("has no tool fields without tools", () => {
    const body = bodyOf({ tools: [], toolChoice: "required" }, { params: { parallel_tool_calls: true } });
    expect(Object.keys(body)).toEqual(["model", "instructions", "input", "store", "include", "stream"]);
  });

  it.each([
    ["grok: as a message, which xAI takes everywhere", grok, [{ role: "system", content: "You have a desk." }]],
    ["openai: as instructions", {}, []],
  ])("the system text of %s", (_, options, expected) => {
    const body = bodyOf({}, options);
    expect(body.input).toEqual([...expected, { role: "user", content: "What is on the desk?" }]);
    expect("instructions" in body).toBe(expected.length === 0);
  });

  it("system texts: those at the start are one, a later one keeps its place, and one alone is the input", () => {
    const system = (text: string): Message => ({ role: "system", text });
    const body = bodyOf({ messages: [system("One."), system("Two."), ...question.slice(1), system("Later.")] });
    expect(body["instructions"]).toBe("One.\n\nTwo.");
    expect(body.input.at(-1)).toEqual({ role: "developer", content: "Later." });
    expect(bodyOf({ messages: [system("Alone.")] }).input).toEqual([{ role: "developer", content: "Alone." }]);
  });

  it("tools keep their order, and their names and schemas are made acceptable (SC-01, SC-02)", () => {
    const long = "archive_the_quarterly_report_of_the_northern_branch_into_the_cold_store_";
    const tools = ["files.read", "files_read", `${long}a`, `${long}b`, "9lives", "read file", "查询", "查找", "a/b:c"].map((name) => ({
      name,
      description: name,
      input: { anyOf: [{ type: "array" }], properties: { rows: { type: "array" } } },
    }));
    const body = bodyOf({ tools });
    expect(brokenRules(body)).toEqual([]);
    expect((body["tools"] as { description: string }[]).map(({ description }) => description)).toEqual(tools.map(({ name }) => name));
  });
});

describe("parameters (docs/spec/backends.md 8)", () => {
  it.each<[string, Record<string, JsonValue>, Partial<OpenAIOptions>, Record<string, JsonValue | undefined>]>([
    [
      "passed on",
      { temperature: 0.3, top_p: 0.9, service_tier: "flex", something_new: { a: 1 } },
      {},
      { temperature: 0.3, top_p: 0.9, service_tier: "flex", something_new: { a: 1 } },
    ],
    ["null is left out", { temperature: null }, {}, { temperature: undefined }],
    [
      "ours stay here",
      { type: "openai", cwd: "w", mcp_servers: [], command_line_timeout: 3, _private: 1, max_retries: 1, websocket_mode: true },
      {},
      {
        type: undefined,
        cwd: undefined,
        mcp_servers: undefined,
        command_line_timeout: undefined,
        _private: undefined,
        max_retries: undefined,
        websocket_mode: undefined,
      },
    ],
    [
      "what the adapter decides is not overwritten",
      { input: "x", messages: [], stream: false, background: true, previous_response_id: "r" },
      {},
      { messages: undefined, stream: true, background: undefined, previous_response_id: undefined },
    ],
    ["max_tokens", { max_tokens: 100 }, {}, { max_tokens: undefined, max_output_tokens: 100 }],
    ["max_completion_tokens", { max_completion_tokens: 100 }, {}, { max_completion_tokens: undefined, max_output_tokens: 100 }],
    ["max_output_tokens", { max_output_tokens: 100 }, {}, { max_output_tokens: 100 }],
    ["reasoning", { reasoning: { effort: "high" } }, {}, { reasoning: { effort: "high" } }],
    [
      "reasoning_effort, as Chat Completions calls it",
      { reasoning_effort: "low" },
      {},
      { reasoning: { effort: "low" }, reasoning_effort: undefined },
    ],
    ["reasoning of a model that summarises", {}, { model: "o4-mini" }, { reasoning: { summary: "auto" } }],
    [
      "reasoning of GPT-5",
      { reasoning: { effort: "minimal" } },
      { model: "gpt-5-nano" },
      { reasoning: { effort: "minimal", summary: "auto" } },
    ],
    ["reasoning of GPT-5.x", {}, { model: "openai/gpt-5.2" }, { reasoning: { effort: "medium", summary: "auto" } }],
    ["reasoning, all said", { reasoning: { effort: "xhigh", summary: null } }, { model: "gpt-5.4" }, { reasoning: { effort: "xhigh" } }],
    ["reasoning of a model that does not think", {}, { model: "gpt-5-chat-latest" }, { reasoning: undefined, include: undefined }],
    ["reasoning of GPT-4", {}, { model: "gpt-4.1" }, { reasoning: undefined, include: undefined }],
    ["reasoning of Grok", {}, grok, { reasoning: undefined, include: ["reasoning.encrypted_content"] }],
    ["text", { text: { verbosity: "low" } }, {}, { text: { verbosity: "low" } }],
    ["store", { store: true }, {}, { store: true }],
    [
      "include",
      { include: ["message.output_text.logprobs"] },
      {},
      { include: ["reasoning.encrypted_content", "message.output_text.logprobs"] },
    ],
    ["parallel_tool_calls", { parallel_tool_calls: true }, {}, { parallel_tool_calls: true }],
    ["tool_choice", { tool_choice: "required" }, {}, { tool_choice: "required" }],
    [
      "tool_choice, as Chat Completions writes it",
      { tool_choice: { type: "function", function: { name: "t" } } },
      {},
      { tool_choice: { type: "function", name: "t" } },
    ],
    ["stop and top_k, which the API does not have", { stop: ["x"], top_k: 3 }, {}, { stop: undefined, top_k: undefined }],
    [
      "extra_body goes over everything",
      { extra_body: { temperature: 1, store: true, prompt_cache_key: "k" }, temperature: 0 },
      {},
      { temperature: 1, store: true, prompt_cache_key: "k", extra_body: undefined },
    ],
  ])("%s", (_, params, options, expected) => {
    const body = bodyOf({}, { params, ...options });
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, body[key]]))).toEqual(expected);
  });

  it("those of the request win over those of the backend, and its limit over both", () => {
    expect(bodyOf({ options: { temperature: 1 }, maxOutputTokens: 5 }, { params: { temperature: 0, max_tokens: 9 } })).toMatchObject({
      temperature: 1,
      max_output_tokens: 5,
    });
  });

  it.each([
    ["o3", {}, true],
    ["gpt-5-mini", {}, true],
    ["gpt-5.2", {}, true],
    ["gpt-5.2", { reasoning: { effort: "none" } }, false],
    ["gpt-5", { reasoning: { effort: "none" } }, true],
    ["gpt-5.1-chat-latest", {}, false],
    ["gpt-4o", {}, false],
    ["grok-4", {}, false],
    ["somebody/else", {}, false],
  ])("sampling parameters of %s with %j are dropped: %s", (model, params: Record<string, JsonValue>, dropped) => {
    const options = { model, params: { ...params, temperature: 0.2, top_p: 0.5 } };
    const body = bodyOf({}, options);
    expect(["temperature" in body, "top_p" in body]).toEqual([!dropped, !dropped]);
    expect(warningsOf({}, options)).toEqual(
      dropped ? ["temperature", "top_p"].map((key) => `"${key}" was left out: "${model}" takes no sampling parameters.`) : [],
    );
  });

  it("what the API does not have is said", () => {
    expect(warningsOf({}, { params: { stop: ["x"], enable_x_search: true } })).toEqual([
      '"stop" was left out: the Responses API has no such parameter.',
      '"enable_x_search" has no effect: OpenAI has no such tool.',
    ]);
  });

  it("a schema for the answer goes only where no call may be made, and is strict where it can be", () => {
    const strict: JsonValue = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: ["object", "null"], properties: {}, additionalProperties: false } },
      required: ["a", "b"],
      additionalProperties: false,
    };
    const loose: JsonValue = { type: "object", properties: { a: { type: "string" } } };
    expect(bodyOf({ options: { output_schema: strict } })).not.toHaveProperty("text");
    for (const silent of [{ tools: [] }, { toolChoice: "none" as const }]) {
      for (const schema of [strict, loose]) {
        const options = { output_schema: schema, text: { verbosity: "high" } };
        expect(bodyOf({ options, ...silent })["text"]).toEqual({
          verbosity: "high",
          format: { type: "json_schema", name: "answer", schema, strict: schema === strict },
        });
      }
    }
  });
});

describe("tools that the vendor runs itself", () => {
  it.each<[string, Record<string, JsonValue>, Partial<OpenAIOptions>, readonly JsonValue[], readonly string[]]>([
    ["web search", { enable_web_search: true }, {}, [{ type: "web_search" }], ["web_search_call.action.sources"]],
    [
      "web search of a size",
      { enable_web_search: true, search_context_size: "high" },
      {},
      [{ type: "web_search", search_context_size: "high" }],
      ["web_search_call.action.sources"],
    ],
    [
      "code, under either name once",
      { enable_code_interpreter: true, enable_code_execution: true },
      {},
      [{ type: "code_interpreter", container: { type: "auto" } }],
      ["code_interpreter_call.outputs"],
    ],
    [
      "of xAI",
      { enable_web_search: true, enable_x_search: true, enable_code_execution: true },
      grok,
      [{ type: "web_search" }, { type: "x_search" }, { type: "code_interpreter" }],
      [],
    ],
  ])("%s stands before ours, and one call is made at a time", (_, params, options, tools, include) => {
    const body = bodyOf({}, { params: { ...params, parallel_tool_calls: true }, ...options });
    expect((body["tools"] as JsonValue[]).slice(0, tools.length)).toEqual(tools);
    expect(body["tools"]).toHaveLength(tools.length + deskTools.length);
    expect(body).toMatchObject({ parallel_tool_calls: false, include: ["reasoning.encrypted_content", ...include] });
  });

  it("are offered without tools of ours too, and not when the option is off", () => {
    expect(bodyOf({ tools: [] }, { params: { enable_web_search: true } })["tools"]).toEqual([{ type: "web_search" }]);
    expect(bodyOf({ tools: [] }, { params: { enable_web_search: false } })).not.toHaveProperty("tools");
  });
});

describe("tool choice", () => {
  it.each<[TurnRequest["toolChoice"], JsonValue | undefined]>([
    ["auto", undefined],
    ["required", "required"],
    ["none", "none"],
    [{ tool: "mcp__desk__now" }, { type: "function", name: "mcp__desk__now" }],
  ])("%j is %j", (toolChoice, expected) => expect(bodyOf({ toolChoice })["tool_choice"]).toEqual(expected));

  it("can be forced, and is a capability", () => {
    expect(createOpenAI({ model: "gpt-5.2" }).capabilities).toMatchObject({
      forcedToolChoice: true,
      input: ["text", "image", "pdf"],
      contextWindowTokens: 400_000,
    });
    expect(createOpenAI({ id: "grok", model: "grok-4", contextWindowTokens: null }).capabilities).toMatchObject({
      input: ["text", "image"],
      contextWindowTokens: null,
    });
  });
});

describe("messages", () => {
  const lookup = (callId: string, fields: object = {}) =>
    ({ type: "tool_call", callId, tool: "mcp__desk__lookup", input: { q: "lamp" }, ...fields }) as const;
  const image = { type: "media", mediaType: "image/png", data: Uint8Array.of(1, 2, 3) } as const;
  const shown = { type: "input_image", image_url: "data:image/png;base64,AQID", detail: "auto" };
  const conversation: readonly Message[] = [
    ...question,
    { role: "assistant", parts: [{ type: "reasoning", text: "Hm." }, { type: "text", text: "I look." }, lookup("a"), lookup("b")] },
    {
      role: "tool",
      results: [
        { callId: "a", output: { parts: [{ type: "text", text: "a lamp" }, image], isError: false } },
        { callId: "b", output: { parts: [{ type: "text", text: "the desk is gone" }], isError: true } },
      ],
    },
    { role: "assistant", parts: [{ type: "text", text: "A lamp." }] },
    {
      role: "user",
      parts: [
        { type: "text", text: "And this?" },
        { ...image, data: new URL("https://h/x.png") },
      ],
    },
  ];
  const call = (id: string) => ({ type: "function_call", call_id: id, name: "mcp__desk__lookup", arguments: '{"q":"lamp"}' });
  const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
  const again = {
    role: "user",
    content: [
      { type: "input_text", text: "And this?" },
      { type: "input_image", image_url: "https://h/x.png", detail: "auto" },
    ],
  };

  it("of a whole conversation, as it is sent to OpenAI", () => {
    const body = bodyOf({ messages: conversation });
    expect(brokenRules(body)).toEqual([]);
    expect(body.input).toEqual([
      { role: "user", content: "What is on the desk?" },
      said("I look."),
      call("a"),
      call("b"),
      { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: "a lamp" }, shown] },
      { type: "function_call_output", call_id: "b", output: "Error: the desk is gone" },
      said("A lamp."),
      again,
    ]);
  });

  it("of a whole conversation, as it is sent to xAI: pictures of results stand behind them", () => {
    const body = bodyOf({ messages: conversation }, grok);
    expect(brokenRules(body)).toEqual([]);
    expect(body.input.slice(5, 8)).toEqual([
      { type: "function_call_output", call_id: "a", output: "a lamp\n[image/png, 1 KB, shown below]" },
      { type: "function_call_output", call_id: "b", output: "Error: the desk is gone" },
      { role: "user", content: [{ type: "input_text", text: "From the result of mcp__desk__lookup (a):" }, shown] },
    ]);
  });

  it("AN-04: an interrupted history is made whole before it is sent", () => {
    const messages: readonly Message[] = [
      ...question,
      { role: "assistant", parts: [lookup("call_n1"), lookup("call_n2", { input: {}, inputError: "cut off" })] },
      { role: "tool", results: [{ callId: "call_n1", output: { parts: [{ type: "text", text: "desk says: one" }], isError: false } }] },
      { role: "user", parts: [{ type: "text", text: "Another agent has answered. Please go on." }] },
      { role: "tool", results: [{ callId: "ghost", output: { parts: [], isError: false } }] },
    ];
    const body = bodyOf({ messages });
    expect(brokenRules(body)).toEqual([]);
    expect(body.input.slice(3).map(({ output, content }) => output ?? content)).toEqual([
      "desk says: one",
      "Error: This call was interrupted before it gave a result.",
      "Another agent has answered. Please go on.",
    ]);
  });

  it("that would be refused are left out or mended", () => {
    const messages: readonly Message[] = [
      { role: "system", text: "" },
      { role: "user", parts: [{ type: "text", text: "half \ud83d and \0" }] },
      { role: "assistant", parts: [{ type: "reasoning", text: "only thoughts" }] },
      { role: "assistant", parts: [lookup("")] },
      { role: "tool", results: [{ callId: "", output: { parts: [], isError: false } }] },
      { role: "user", parts: [] },
    ];
    const body = bodyOf({ messages });
    expect(brokenRules(body)).toEqual([]);
    expect(body.input.map(({ type, content, output }) => type ?? content ?? output)).toEqual([
      "half \ufffd and ",
      "function_call",
      "function_call_output",
    ]);
    expect(body.input.at(-1)?.["output"]).toBe("(no output)");
  });

  it.each([
    ["image/png", {}, shown],
    ["application/pdf", {}, { type: "input_file", filename: "document.pdf", file_data: "data:application/pdf;base64,AQID" }],
    ["application/pdf", grok, { type: "input_text", text: "[application/pdf, 1 KB, left out: this model does not take it]" }],
    ["audio/mpeg", { model: "gpt-audio" }, { type: "input_audio", input_audio: { data: "AQID", format: "mp3" } }],
    ["audio/wav", {}, { type: "input_text", text: "[audio/wav, 1 KB, left out: this model does not take it]" }],
    ["video/mp4", {}, { type: "input_text", text: "[video/mp4, 1 KB, left out: this model does not take it]" }],
    ["font/woff", {}, { type: "input_text", text: "[font/woff, 1 KB, left out: this model does not take it]" }],
  ])("%s for %j", (mediaType, options: Partial<OpenAIOptions>, expected) => {
    const body = bodyOf({ messages: [{ role: "user", parts: [{ ...image, mediaType }] }] }, options);
    expect(body.input.at(-1)?.["content"]).toEqual([expected]);
  });
});

describe("what goes back as it came", () => {
  const item = { type: "reasoning", id: "rs", summary: [], encrypted_content: "e" } as const;
  const payload = (fields: Record<string, JsonValue>) =>
    ({ type: "reasoning", text: "Hm.", opaque: { adapter: "openai-responses", family: "gpt", ...fields } }) as const;
  const yes = { type: "text", text: "Yes." } as const;
  const sent = (parts: Extract<Message, { role: "assistant" }>["parts"], model = "gpt-5", params: Record<string, JsonValue> = {}) =>
    bodyOf({ messages: [...question, { role: "assistant", parts }, { role: "user", parts: [yes] }] }, { model, params }).input.slice(1, -1);
  const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes." }] };

  it.each<[string, ReturnType<typeof sent>, readonly JsonValue[]]>([
    ["reasoning, to the same family", sent([payload({ item }), yes], "gpt-5.2-codex"), [item, said]],
    ["not to another family", sent([payload({ item }), yes], "o4-mini"), [said]],
    ["not from another adapter", sent([{ type: "reasoning", text: "Hm.", opaque: { adapter: "anthropic", item } }, yes]), [said]],
    ["not when nothing follows it", sent([yes, payload({ item })]), [said]],
    ["not when nobody can read it", sent([payload({ item: { ...item, encrypted_content: "" } }), yes]), [said]],
    [
      "unencrypted where it is stored",
      sent([payload({ item: { type: "reasoning", id: "rs", summary: [] } }), yes], "gpt-5", { store: true }),
      [{ type: "reasoning", id: "rs", summary: [] }, said],
    ],
    ["the phase of a message", sent([payload({ phase: "commentary" }), yes]), [{ ...said, phase: "commentary" }]],
  ])("%s", (_, input, expected) => expect(input).toEqual(expected));
});
