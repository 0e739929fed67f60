import { readFileSync } from "node:fs";
import type { JsonSchema, JsonValue, Message, Part, ToolSpec, TurnRequest } from "@massgen/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnthropicOptions } from "../src/index.js";
import { bodyOf, requestOf } from "./build-body.js";
import { deskTools, question } from "./turns.js";
import { brokenRules, marksOf } from "./vendor-rules.js";

const user = (...texts: readonly string[]): Message => ({ role: "user", parts: texts.map((text) => ({ type: "text", text })) });
const assistant = (...parts: readonly Part[]): Message => ({ role: "assistant", parts });
const said = (text: string): Part => ({ type: "text", text });
const calling = (callId: string, input: JsonValue = {}): Part => ({ type: "tool_call", callId, tool: "mcp__desk__lookup", input });
const result = (callId: string, text: string, isError = false): Message => ({
  role: "tool",
  results: [{ callId, output: { parts: [{ type: "text", text }], isError } }],
});

describe("the body", () => {
  it("holds model, tools, system and messages first, and what may change behind them", () => {
    expect(Object.keys(bodyOf({ toolChoice: "required" }, { params: { stop: "x", service_tier: "auto" } }))).toEqual([
      "model",
      "tools",
      "system",
      "messages",
      "tool_choice",
      "max_tokens",
      "service_tier",
      "stop_sequences",
      "stream",
    ]);
  });

  it("is the same to the byte as far as two histories are the same, but for the marks", () => {
    const longer = [...question, assistant(said("A lamp."), calling("c1")), result("c1", "lit")];
    const plain = (messages: readonly Message[]) => JSON.stringify(bodyOf({ messages }, { params: { enable_prompt_cache: false } }));
    const [one, two] = [plain(question), plain(longer)];
    const shared = one.slice(0, one.indexOf("]}]", one.indexOf('"messages"')));
    expect(shared).toContain("What is on the desk?");
    expect(two.startsWith(shared)).toBe(true);
    expect(plain(question)).toBe(one);
  });
});

describe("marks for the prompt cache (docs/spec/backends.md 11.6)", () => {
  const opening: readonly Message[] = [
    { role: "system", text: "Rules." },
    user("Question.\n\n", "Answer 1.\n", "Answer 2.\n", "\n\nIt is noon."),
  ];
  const later = [...opening, assistant(said("I look."), calling("c1")), result("c1", "found")];

  it("stand behind the tools, the system text and the last answer", () => {
    expect(marksOf(bodyOf({ messages: opening }))).toEqual(["tools[2]", "system[0]", "messages[0][2]"]);
  });

  it("and behind the newest result, four in all, while those before it stay where they are", () => {
    expect(marksOf(bodyOf({ messages: later }))).toEqual(["tools[2]", "system[0]", "messages[0][2]", "messages[2][0]"]);
    const more = [...later, assistant(calling("c2"), calling("c3")), result("c2", "a"), result("c3", "b"), user("Two new answers.")];
    expect(marksOf(bodyOf({ messages: more }))).toEqual(["tools[2]", "system[0]", "messages[0][2]", "messages[4][2]"]);
  });

  it("change nothing else of the request", () => {
    const marked = JSON.stringify(bodyOf({ messages: later })).replaceAll(',"cache_control":{"type":"ephemeral"}', "");
    expect(marked).toBe(JSON.stringify(bodyOf({ messages: later }, { params: { enable_prompt_cache: false } })));
  });

  it("leave room for one the user asks for", () => {
    const body = bodyOf({ messages: later }, { params: { cache_control: { type: "ephemeral", ttl: "1h" } } });
    expect(marksOf(body)).toHaveLength(3);
    expect(body["cache_control"]).toEqual({ type: "ephemeral", ttl: "1h" });
  });
});

describe("the history", () => {
  const sent = (messages: readonly Message[]) => {
    const body = bodyOf({ messages }, { params: { enable_prompt_cache: false } });
    expect(brokenRules(body)).toEqual([]);
    return body.messages;
  };

  it("AN-04: calls without a result get one that says so, directly behind them and before any other word", () => {
    const messages = [
      user("Read three notes."),
      assistant(said("Reading."), calling("n1"), calling("n2"), calling("n3")),
      result("n1", "one"),
      user("Go on."),
    ];
    expect(sent(messages)[2]?.content).toEqual([
      { type: "tool_result", tool_use_id: "n1", content: "one" },
      { type: "tool_result", tool_use_id: "n2", content: expect.stringContaining("interrupted"), is_error: true },
      { type: "tool_result", tool_use_id: "n3", content: expect.stringContaining("interrupted"), is_error: true },
      { type: "text", text: "Go on." },
    ]);
  });

  it("AN-04: a result without its call is dropped", () => {
    expect(sent([result("gone", "x"), user("Summarise.")])).toEqual([{ role: "user", content: [{ type: "text", text: "Summarise." }] }]);
  });

  it("arguments that were cut off go back as {}", () => {
    const cut: Part = { type: "tool_call", callId: "c", tool: "mcp__desk__lookup", input: '{"q":"tw' };
    expect(sent([user("Q"), assistant(cut), result("c", "x")])[1]?.content[0]).toMatchObject({ input: {} });
  });

  it("ids of other vendors are made legal, in call and result alike", () => {
    const [, call, answer] = sent([user("Q"), assistant(calling("functions.lookup:0")), result("functions.lookup:0", "x")]);
    expect(call?.content[0]?.["id"]).toMatch(/^functions_lookup_0_\w+$/);
    expect(answer?.content[0]?.["tool_use_id"]).toBe(call?.content[0]?.["id"]);
  });

  it("blank texts go to the text before them, and messages of one role become one", () => {
    expect(sent([user("A", "\n\n", "B"), user(" "), user("C"), assistant(said("\n")), user("D")])).toEqual([
      { role: "user", content: ["A\n\n", "B", "C", "D"].map((text) => ({ type: "text", text })) },
    ]);
  });

  it("begins with the user, and does not end in white space", () => {
    expect(sent([assistant(said("Hello \n"))])).toEqual([
      { role: "user", content: [{ type: "text", text: "Go on." }] },
      { role: "assistant", content: [{ type: "text", text: "Hello" }] },
    ]);
  });

  it("images and PDF go along, also out of tools; what the model does not take becomes a note", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const media = (mediaType: string, data: Uint8Array | URL = bytes) => ({ type: "media", mediaType, data }) as const;
    const parts = [
      media("image/png"),
      media("image/png", new URL("https://x.example/a.png")),
      media("image/png", new URL("data:image/png;base64,AQID")),
      media("application/pdf"),
      media("audio/mpeg"),
      media("image/tiff"),
      media("image/jpeg", new Uint8Array(4 * 1024 * 1024)),
    ];
    const blocks = [
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AQID" } },
      { type: "image", source: { type: "url", url: "https://x.example/a.png" } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AQID" } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AQID" } },
      { type: "text", text: "[audio/mpeg, 1 KB, left out: this model does not take it]" },
      { type: "text", text: "[image/tiff, 1 KB, left out: this model does not take it]" },
      { type: "text", text: "[image/jpeg, 4096 KB, left out: larger than 5 MB, which is the most this model takes]" },
    ];
    expect(sent([{ role: "user", parts }])[0]?.content).toEqual(blocks);
    const tool: Message = { role: "tool", results: [{ callId: "c", output: { parts, isError: false } }] };
    expect(sent([user("Q"), assistant(calling("c")), tool])[2]?.content).toEqual([
      { type: "tool_result", tool_use_id: "c", content: blocks },
    ]);
  });

  it("whatever it was, it can be sent", () => {
    const texts = fc.constantFrom("word", "", " ", "\n\n", "half \ud83d", "nul \0", "東京 ");
    const ids = fc.constantFrom("a", "b", "call:1", "");
    const part: fc.Arbitrary<Part> = fc.oneof(
      texts.map(said),
      fc.tuple(ids, fc.jsonValue()).map(([callId, input]) => calling(callId, input as JsonValue)),
      texts.map((text): Part => ({ type: "reasoning", text, opaque: { adapter: "other", family: "x" } })),
    );
    const message: fc.Arbitrary<Message> = fc.oneof(
      texts.map((text): Message => ({ role: "system", text })),
      fc.array(texts.map(said), { maxLength: 3 }).map((parts): Message => ({ role: "user", parts })),
      fc.array(part, { maxLength: 4 }).map((parts) => assistant(...parts)),
      fc.tuple(ids, texts).map(([id, text]) => result(id, text)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        expect(brokenRules(bodyOf({ messages }))).toEqual([]);
      }),
    );
  });
});

describe("parameters (docs/spec/backends.md 11.1)", () => {
  const old = { model: "claude-sonnet-4-5" };
  const recent = { model: "claude-opus-5-5" };
  it.each<[string, Record<string, JsonValue>, Partial<AnthropicOptions>, Record<string, JsonValue | undefined>]>([
    ["passed on", { service_tier: "auto", something_new: { a: 1 } }, {}, { service_tier: "auto", something_new: { a: 1 } }],
    ["null is left out", { service_tier: null }, {}, { service_tier: undefined }],
    [
      "ours stay here",
      { type: "claude", cwd: "w", mcp_servers: [], text: { verbosity: "low" }, engine: "exa", _x: 1 },
      {},
      { type: undefined, cwd: undefined, mcp_servers: undefined, text: undefined, engine: undefined, _x: undefined },
    ],
    ["what the adapter decides is not overwritten", { messages: [], tools: [], system: "x", stream: false }, {}, { stream: true }],
    ["max_tokens has a default", {}, {}, { max_tokens: 32_000 }],
    ["max_tokens", { max_tokens: 100 }, {}, { max_tokens: 100 }],
    ["max_tokens is capped by the model", { max_tokens: 90_000 }, old, { max_tokens: 64_000 }],
    ["so is the default", {}, { model: "claude-3-5-haiku-latest" }, { max_tokens: 8192 }],
    ["max_tokens of a model nobody knows is not capped", { max_tokens: 200_000 }, recent, { max_tokens: 200_000 }],
    ["stop", { stop: "END" }, {}, { stop: undefined, stop_sequences: ["END"] }],
    ["stop, several", { stop: ["A", "B"] }, {}, { stop_sequences: ["A", "B"] }],
    ["user", { user: "u1" }, {}, { user: undefined, metadata: { user_id: "u1" } }],
    ["sampling where it is taken", { temperature: 0.3, top_k: 5 }, old, { temperature: 0.3, top_k: 5 }],
    ["sampling where it is not", { temperature: 1 }, recent, { temperature: undefined }],
    [
      "sampling of a model that thinks",
      { temperature: 0.3, thinking: { type: "enabled", budget_tokens: 2000 } },
      old,
      { temperature: undefined },
    ],
    [
      "thinking",
      { thinking: { type: "adaptive", display: "summarized" } },
      recent,
      { thinking: { type: "adaptive", display: "summarized" } },
    ],
    [
      "a budget too large for max_tokens",
      { thinking: { type: "enabled", budget_tokens: 9000 }, max_tokens: 8000 },
      old,
      { thinking: { type: "enabled", budget_tokens: 4000 } },
    ],
    ["a budget without room", { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 1500 }, old, { thinking: undefined }],
    [
      "reasoning, newer models",
      { reasoning: { effort: "high" } },
      recent,
      { reasoning: undefined, thinking: { type: "adaptive" }, output_config: { effort: "high" } },
    ],
    [
      "reasoning, older models",
      { reasoning: { effort: "low" } },
      old,
      { thinking: { type: "enabled", budget_tokens: 2048 }, output_config: undefined },
    ],
    [
      "reasoning, Opus 4.5",
      { reasoning: { effort: "minimal" } },
      { model: "claude-opus-4-5" },
      { thinking: { type: "enabled", budget_tokens: 1024 }, output_config: { effort: "low" } },
    ],
    ["reasoning off", { reasoning: { effort: "none" } }, recent, { thinking: { type: "disabled" }, output_config: undefined }],
    ["reasoning with a budget", { reasoning: { max_tokens: 3000 } }, old, { thinking: { type: "enabled", budget_tokens: 3000 } }],
    [
      "thinking wins over reasoning",
      { thinking: { type: "disabled" }, reasoning: { effort: "high" } },
      recent,
      { thinking: { type: "disabled" }, output_config: { effort: "high" } },
    ],
    [
      "parallel_tool_calls",
      { parallel_tool_calls: false },
      {},
      { tool_choice: { type: "auto", disable_parallel_tool_use: true }, parallel_tool_calls: undefined },
    ],
    [
      "tool_choice as OpenAI spells it",
      { tool_choice: { type: "function", function: { name: "mcp__desk__now" } } },
      {},
      { tool_choice: { type: "tool", name: "mcp__desk__now" } },
    ],
    ["tool_choice as this vendor spells it", { tool_choice: { type: "any" } }, {}, { tool_choice: { type: "any" } }],
    [
      "extra_body goes over everything",
      { extra_body: { temperature: 1, max_tokens: 5, odd: { a: 1 } } },
      recent,
      { temperature: 1, max_tokens: 5, odd: { a: 1 }, extra_body: undefined },
    ],
  ])("%s", (_, params, options, expected) => {
    const body = bodyOf({}, { params, ...options });
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, body[key]]))).toEqual(expected);
  });

  it.each<[TurnRequest["toolChoice"], JsonValue | undefined]>([
    ["auto", undefined],
    ["required", { type: "any" }],
    ["none", { type: "none" }],
    [{ tool: "mcp__desk__now" }, { type: "tool", name: "mcp__desk__now" }],
  ])("tool choice %o", (toolChoice, expected) => {
    expect(bodyOf({ toolChoice })["tool_choice"]).toEqual(expected);
    // While it thinks, a model may not be forced: the vendor would refuse the request.
    const thinking = bodyOf({ toolChoice }, { params: { thinking: { type: "adaptive" } } });
    expect(thinking["tool_choice"]).toEqual(toolChoice === "none" ? { type: "none" } : undefined);
    expect(brokenRules(thinking)).toEqual([]);
    expect(bodyOf({ toolChoice, tools: [] })).not.toHaveProperty("tool_choice");
  });

  it("says what it leaves out or lowers", () => {
    expect(requestOf({}, { ...recent, params: { temperature: 1, top_p: 1 } }).warnings).toEqual([
      'temperature and top_p are left out: "claude-opus-5-5" is not known to take it. To send it all the same, put it into extra_body.',
    ]);
    expect(requestOf({ maxOutputTokens: 99_000 }, old).warnings).toEqual([expect.stringContaining("64000")]);
    expect(requestOf({}, { model: "claude-3-5-haiku-latest" }).warnings).toEqual([]);
  });

  it("a schema for the answer goes only where no call may be made, and closes its objects", () => {
    const options = { output_schema: { type: "object", properties: { a: { type: "object", properties: {} } } } };
    expect(bodyOf({ options })).not.toHaveProperty("output_config");
    for (const silent of [{ tools: [] }, { toolChoice: "none" as const }])
      expect(bodyOf({ options, ...silent })["output_config"]).toEqual({
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: { a: { type: "object", properties: {}, additionalProperties: false } },
            additionalProperties: false,
          },
        },
      });
  });
});

describe("tools", () => {
  const toolsOf = (file: string): readonly ToolSpec[] => {
    const { name: server, tools } = JSON.parse(readFileSync(new URL(`fixtures/${file}`, import.meta.url), "utf8"));
    return tools.map((tool: { name: string; description: string; inputSchema: JsonSchema }) => ({
      name: `mcp__${server}__${tool.name}`,
      description: tool.description,
      input: tool.inputSchema,
    }));
  };

  it("SC-01: every name is accepted and unique, and every call finds its way back", () => {
    const tools = toolsOf("odd-tool-names.json");
    const { body, tools: wire } = requestOf({ tools });
    expect(brokenRules(body)).toEqual([]);
    const names = (body["tools"] as { name: string }[]).map(({ name }) => name);
    expect(names.map(wire.fromWire)).toEqual(tools.map(({ name }) => name));
    expect(JSON.stringify(requestOf({ tools }).body)).toBe(JSON.stringify(body));
  });

  it("SC-02: every schema is accepted, and what can be kept is kept", () => {
    const tools = toolsOf("odd-tool-schemas.json");
    const { body, tools: wire } = requestOf({ tools });
    expect(brokenRules(body)).toEqual([]);
    expect(body["tools"]).toHaveLength(tools.length);
    const schemaOf = (name: string) =>
      (body["tools"] as { name: string; input_schema: JsonSchema }[]).find((tool) => tool.name.endsWith(name))?.input_schema;
    const { properties, required } = schemaOf("keyword_names") as { properties: JsonSchema; required: JsonValue };
    expect(Object.keys(properties).slice(0, 5)).toEqual(["type", "title", "properties", "required", "enum"]);
    expect(required).toEqual(["type", "title", "properties"]);
    expect(schemaOf("type_list")).toMatchObject({ properties: { level: { enum: [1, 2, 3] }, tag: { enum: ["", "x"] } } });
    // `$ref` is no legal name of a property here; the tool gets it back under its own.
    const legal = Object.keys(properties).find((name) => name.startsWith("_ref_"))!;
    expect(wire.inputFromWire("mcp__shapes__keyword_names", { type: "a", [legal]: "b" })).toEqual({ type: "a", $ref: "b" });
    expect(wire.inputToWire("mcp__shapes__keyword_names", { type: "a", $ref: "b" })).toEqual({ type: "a", [legal]: "b" });
  });

  it("the vendor's own come first, and only when asked for", () => {
    const { body, headers } = requestOf({}, { params: { enable_web_search: true, enable_code_execution: true } });
    expect((body["tools"] as JsonValue[]).slice(0, 2)).toEqual([
      { type: "web_search_20250305", name: "web_search" },
      { type: "code_execution_20250825", name: "code_execution" },
    ]);
    expect(headers).toEqual({ "anthropic-beta": "code-execution-2025-08-25" });
    expect(bodyOf({}, { params: { enable_web_search: false } })["tools"]).toHaveLength(deskTools.length);
  });

  it("a name they share with another tool is left to that tool, with a warning", () => {
    const own: ToolSpec = { name: "web_search", description: "Ours.", input: {} };
    const { body, warnings } = requestOf({ tools: [own] }, { params: { enable_web_search: true } });
    expect(body["tools"]).toMatchObject([{ name: "web_search", description: "Ours." }]);
    expect(warnings).toEqual([expect.stringContaining("web_search is left out")]);
  });

  it("tool search loads the tools of servers late and marks one that is always there", () => {
    const workflow: ToolSpec = { name: "vote", description: "Votes.", input: {} };
    const { body, headers } = requestOf(
      { tools: [workflow, ...deskTools] },
      { params: { enable_tool_search: true, tool_search_variant: "bm25" } },
    );
    expect(
      (body["tools"] as { name: string; defer_loading?: boolean }[]).map(({ name, defer_loading }) => [name, defer_loading === true]),
    ).toEqual([["tool_search_tool_bm25", false], ["vote", false], ...deskTools.map(({ name }) => [name, true])]);
    expect(marksOf(body)[0]).toBe("tools[1]");
    expect(headers["anthropic-beta"]).toBe("advanced-tool-use-2025-11-20");
  });

  it("strict tools take no property they do not name", () => {
    const { body } = requestOf({}, { params: { enable_strict_tool_use: true } });
    for (const tool of body["tools"] as JsonSchema[])
      expect(tool).toMatchObject({ strict: true, input_schema: { additionalProperties: false } });
  });
});
