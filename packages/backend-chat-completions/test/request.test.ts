import type { JsonValue, Message, TurnRequest } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { type ChatCompletionsOptions, createChatCompletions } from "../src/index.js";
import { bodyOf } from "./build-body.js";
import { question } from "./turns.js";
import { brokenRules } from "./vendor-rules.js";

describe("the body", () => {
  it("holds model, tools and messages first, and what may change behind them", () => {
    expect(Object.keys(bodyOf({ toolChoice: "required", maxOutputTokens: 9 }, { params: { temperature: 0.5, seed: 7 } }))).toEqual([
      "model",
      "tools",
      "messages",
      "tool_choice",
      "temperature",
      "seed",
      "max_tokens",
      "stream",
      "stream_options",
    ]);
  });

  it("is the same to the byte as far as two histories are the same", () => {
    const longer: readonly Message[] = [
      ...question,
      { role: "assistant", parts: [{ type: "text", text: "A lamp." }] },
      { role: "user", parts: [{ type: "text", text: "Lit?" }] },
    ];
    const [one, two] = [JSON.stringify(bodyOf()), JSON.stringify(bodyOf({ messages: longer, toolChoice: "required" }))];
    const shared = one.slice(0, one.indexOf("]", one.indexOf('"messages"')));
    expect(shared).toContain("What is on the desk?");
    expect(two.startsWith(shared)).toBe(true);
    expect(JSON.stringify(bodyOf())).toBe(one);
  });

  it("asks for a stream with usage, and has no tool fields without tools", () => {
    expect(bodyOf({ tools: [] })).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(Object.keys(bodyOf({ tools: [], toolChoice: "required" }, { params: { parallel_tool_calls: false } }))).toEqual([
      "model",
      "messages",
      "stream",
      "stream_options",
    ]);
  });
});

describe("parameters (docs/spec/backends.md 8)", () => {
  const openai = { baseUrl: "https://api.openai.com/v1" };
  it.each<[string, Record<string, JsonValue>, Partial<ChatCompletionsOptions>, Record<string, JsonValue | undefined>]>([
    [
      "passed on",
      { temperature: 0.3, top_p: 0.9, stop: ["x"], seed: 1, something_new: { a: 1 } },
      {},
      { temperature: 0.3, top_p: 0.9, stop: ["x"], seed: 1, something_new: { a: 1 } },
    ],
    ["null is left out", { temperature: null }, {}, { temperature: undefined }],
    [
      "ours stay here",
      { type: "groq", cwd: "w", mcp_servers: [], enable_web_search: true, command_line_timeout: 3, _private: 1, text: "x", max_retries: 1 },
      {},
      {
        type: undefined,
        cwd: undefined,
        mcp_servers: undefined,
        enable_web_search: undefined,
        command_line_timeout: undefined,
        _private: undefined,
        text: undefined,
        max_retries: undefined,
      },
    ],
    ["what the adapter decides is not overwritten", { messages: [], tools: [], stream: false, n: 3 }, {}, { stream: true, n: undefined }],
    ["max_tokens", { max_tokens: 100 }, {}, { max_tokens: 100, max_completion_tokens: undefined }],
    [
      "max_tokens of OpenAI's reasoning models",
      { max_tokens: 100 },
      { ...openai, model: "gpt-5-mini" },
      { max_tokens: undefined, max_completion_tokens: 100 },
    ],
    [
      "max_tokens of OpenAI's other models",
      { max_tokens: 100 },
      { ...openai, model: "gpt-4o" },
      { max_tokens: 100, max_completion_tokens: undefined },
    ],
    [
      "max_completion_tokens where the user says so",
      { max_completion_tokens: 100 },
      {},
      { max_tokens: undefined, max_completion_tokens: 100 },
    ],
    ["reasoning", { reasoning: { effort: "high", summary: "auto" } }, {}, { reasoning_effort: "high", reasoning: undefined }],
    [
      "reasoning of OpenRouter",
      { reasoning: { max_tokens: 5 } },
      { id: "openrouter" },
      { reasoning: { max_tokens: 5 }, usage: { include: true } },
    ],
    ["web search of OpenRouter", { enable_web_search: true }, { id: "openrouter" }, { plugins: [{ id: "web", max_results: 5 }] }],
    ["thinking of Qwen", { enable_thinking: true, thinking_budget: 5 }, { id: "qwen" }, { enable_thinking: true, thinking_budget: 5 }],
    ["parallel_tool_calls", { parallel_tool_calls: false }, {}, { parallel_tool_calls: false }],
    ["tool_choice", { tool_choice: "required" }, {}, { tool_choice: "required" }],
    [
      "extra_body goes over everything",
      { extra_body: { temperature: 1, stream_options: null, chat_template_kwargs: { a: 1 } }, temperature: 0 },
      {},
      { temperature: 1, stream_options: null, chat_template_kwargs: { a: 1 }, extra_body: undefined },
    ],
  ])("%s", (_, params, options, expected) => {
    const body = bodyOf({}, { params, ...options });
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, body[key]]))).toEqual(expected);
  });

  it("those of the request win over those of the backend, and its limit over both", () => {
    expect(bodyOf({ options: { temperature: 1 }, maxOutputTokens: 5 }, { params: { temperature: 0, max_tokens: 9 } })).toMatchObject({
      temperature: 1,
      max_tokens: 5,
    });
  });

  it("a schema for the answer goes only where no call may be made", () => {
    const options = { output_schema: { type: "object" } };
    expect(bodyOf({ options })).not.toHaveProperty("response_format");
    for (const silent of [{ tools: [] }, { toolChoice: "none" as const }]) {
      expect(bodyOf({ options, ...silent })).toMatchObject({
        response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } },
      });
    }
  });
});

describe("tool choice", () => {
  const named = { tool: "mcp__desk__now" };
  it.each<[string, TurnRequest["toolChoice"], JsonValue | undefined]>([
    ["chatcompletion", "auto", undefined],
    ["chatcompletion", "required", "required"],
    ["chatcompletion", "none", "none"],
    ["chatcompletion", named, { type: "function", function: { name: "mcp__desk__now" } }],
    ["lmstudio", named, "required"],
    ["qwen", "required", undefined],
    ["qwen", "none", "none"],
    ["zai", "none", undefined],
    ["zai", named, undefined],
    ["ollama", "required", undefined],
  ])("%s: %j is %j", (id, toolChoice, expected) => expect(bodyOf({ toolChoice }, { id })["tool_choice"]).toEqual(expected));

  it("is a capability where it can be forced", () => {
    const forced = (id: string) => createChatCompletions({ id, model: "m" }).capabilities.forcedToolChoice;
    expect(["groq", "lmstudio", "zai", "qwen"].map(forced)).toEqual([true, true, false, false]);
  });
});

describe("messages", () => {
  const lookup = (callId: string, fields: object = {}) =>
    ({ type: "tool_call", callId, tool: "mcp__desk__lookup", input: { q: "lamp" }, ...fields }) as const;
  const image = { type: "media", mediaType: "image/png", data: Uint8Array.of(1, 2, 3) } as const;

  it("of a whole conversation, as it is sent", () => {
    const messages: readonly Message[] = [
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
    const body = bodyOf({ messages });
    expect(brokenRules(body)).toEqual([]);
    expect(body.messages).toEqual([
      { role: "system", content: "You have a desk." },
      { role: "user", content: "What is on the desk?" },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: ["a", "b"].map((id) => ({ id, type: "function", function: { name: "mcp__desk__lookup", arguments: '{"q":"lamp"}' } })),
      },
      { role: "tool", tool_call_id: "a", content: "a lamp\n[image/png, 1 KB, shown below]" },
      { role: "tool", tool_call_id: "b", content: "Error: the desk is gone" },
      {
        role: "user",
        content: [
          { type: "text", text: "From the result of mcp__desk__lookup (a):" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
        ],
      },
      { role: "assistant", content: "A lamp." },
      {
        role: "user",
        content: [
          { type: "text", text: "And this?" },
          { type: "image_url", image_url: { url: "https://h/x.png" } },
        ],
      },
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
    expect(body.messages.slice(3).map(({ role, content }) => [role, content])).toEqual([
      ["tool", "desk says: one"],
      ["tool", "Error: This call was interrupted before it gave a result."],
      ["user", "Another agent has answered. Please go on."],
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
    expect(body.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "half \ufffd and "],
      ["assistant", null],
      ["tool", "(no output)"],
    ]);
  });

  it.each([
    ["image/png", "openrouter", { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }],
    ["application/pdf", "openrouter", { type: "file", file: { filename: "document.pdf", file_data: "data:application/pdf;base64,AQID" } }],
    ["audio/mpeg", "openrouter", { type: "input_audio", input_audio: { data: "AQID", format: "mp3" } }],
    ["audio/wav", "qwen", { type: "input_audio", input_audio: { data: "data:audio/wav;base64,AQID", format: "wav" } }],
    ["video/mp4", "qwen", { type: "video_url", video_url: { url: "data:video/mp4;base64,AQID" } }],
    ["audio/wav", "groq", { type: "text", text: "[audio/wav, 1 KB, left out: this model does not take it]" }],
    ["font/woff", "groq", { type: "text", text: "[font/woff, 1 KB, left out: this model does not take it]" }],
  ])("%s for %s", (mediaType, id, expected) => {
    const body = bodyOf({ messages: [{ role: "user", parts: [{ ...image, mediaType }] }] }, { id });
    expect(body.messages[0]?.["content"]).toEqual([expected]);
  });
});
