import type { JsonValue } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { lintMessagesRequest } from "../src/wire/lint-messages.js";

type Fields = { readonly [key: string]: JsonValue };
const text = (words: string): Fields => ({ type: "text", text: words });
const user = (...content: readonly Fields[]): Fields => ({ role: "user", content });
const assistant = (...content: readonly Fields[]): Fields => ({ role: "assistant", content });
const question = user(text("Hi"));
const body = (fields: Fields): Fields => ({ model: "m", max_tokens: 4096, messages: [question], ...fields });
const tool = (name: JsonValue, input_schema: JsonValue = { type: "object" }): Fields => ({ name, input_schema });
const call = (id: string, fields: Fields = {}): Fields => ({ type: "tool_use", id, name: "look", input: {}, ...fields });
const result = (id: string, content: JsonValue = "found"): Fields => ({ type: "tool_result", tool_use_id: id, content });
const talk = (...messages: readonly Fields[]): Fields => body({ messages: [question, ...messages] });
const mark = { cache_control: { type: "ephemeral" } };

describe("rules of Messages", () => {
  it.each<[string, Fields]>([
    ["a plain question", body({ messages: [{ role: "user", content: "Hi" }], system: "Rules." })],
    [
      "a run of the vendor's own tool",
      talk(assistant({ type: "server_tool_use", id: "s" }, { type: "web_search_tool_result", tool_use_id: "s" })),
    ],
    [
      "calls answered in any order, words behind them",
      talk(assistant(call("a"), call("b")), user(result("b"), result("a"), text("Go on."))),
    ],
    [
      "sealed thoughts",
      talk(assistant({ type: "thinking", thinking: "", signature: "x" }, { type: "redacted_thinking", data: "y" }, text("z"))),
    ],
    ["a forced tool", body({ tools: [tool("look")], tool_choice: { type: "tool", name: "look" } })],
    [
      "four marks",
      body({
        tools: [{ ...tool("look"), ...mark }],
        system: [{ ...text("R"), ...mark }],
        messages: [user({ ...text("A"), ...mark }, { ...text("B"), ...mark })],
      }),
    ],
    ["thinking with room for an answer", body({ thinking: { type: "enabled", budget_tokens: 2048 } })],
    ["a continued answer", talk(assistant(text("And so")))],
    ["a tool of the vendor", body({ tools: [{ type: "web_search_20250305", name: "web_search" }] })],
  ])("are kept by %s", (_, request) => {
    expect(lintMessagesRequest(request)).toEqual([]);
  });

  it.each<[string, string, Fields]>([
    ["no model", "model", body({ model: "" })],
    ["max_tokens missing", "max_tokens", body({ max_tokens: null })],
    ["no messages", "messages", body({ messages: [] })],
    ["unknown field", "stream_options", body({ stream_options: {} })],
    [
      "thinking budget below 1024 or not below max_tokens",
      "thinking.budget_tokens",
      body({ thinking: { type: "enabled", budget_tokens: 4096 } }),
    ],
    [
      "forced tool while thinking",
      "tool_choice",
      body({ tools: [tool("look")], thinking: { type: "adaptive" }, tool_choice: { type: "any" } }),
    ],
    ["blank text block", "system[0]", body({ system: [text(" ")] })],
    ["tool name the vendor refuses", 'tools[0]: "a.b"', body({ tools: [tool("a.b")] })],
    ["tool name is not unique", 'tools[1]: "look"', body({ tools: [tool("look"), tool("look")] })],
    ["tool_choice without tools", "tool_choice", body({ tool_choice: { type: "auto" } })],
    ["tool_choice names no tool", 'tool_choice: "vote"', body({ tools: [tool("look")], tool_choice: { type: "tool", name: "vote" } })],
    ["tool schema does not have type object at its root", "tools[0].input_schema", body({ tools: [tool("look", { type: "string" })] })],
    [
      "combinator at the root of a tool schema",
      "tools[0].input_schema.anyOf",
      body({ tools: [tool("look", { type: "object", anyOf: [] })] }),
    ],
    [
      "property name the vendor refuses",
      'tools[0].input_schema.list[]: "$ref"',
      body({ tools: [tool("look", { type: "object", properties: { list: { type: "array", items: { properties: { $ref: {} } } } } })] }),
    ],
    [
      "more than 4 cache marks",
      "cache_control: 5",
      body({ ...mark, messages: [user(...Array.from({ length: 4 }, () => ({ ...text("x"), ...mark })))] }),
    ],
    ["first message is not the user's", "messages[0]", body({ messages: [assistant(text("x"))] })],
    ["unknown role", 'messages[1]: "tool"', talk({ role: "tool", content: "x" })],
    ["unknown field in a message", "messages[1].name", talk({ ...question, name: "x" })],
    ["message with nothing in it", "messages[1]", talk(user())],
    ["last message ends in white space", "messages[1]", talk(assistant(text("x ")))],
    ["content block the vendor refuses", "messages[1]: image_url", talk(user({ type: "image_url" }))],
    ["content block the vendor refuses", "messages[1]: tool_use", talk(user(call("a")))],
    ["blank text block", "messages[1]", talk(user(text("\n")))],
    ["thinking block without signature", "messages[1]", talk(assistant({ type: "thinking", thinking: "x", signature: "" }, text("y")))],
    ["redacted thinking block without data", "messages[1]", talk(assistant({ type: "redacted_thinking" }, text("y")))],
    ["tool_use id the vendor refuses", "messages[1]: a:b", talk(assistant(call("a:b")), user(result("a:b")))],
    ["tool_use id is not unique", "messages[3]: a", talk(assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a")))],
    ["tool_use input is no object", "messages[1]: a", talk(assistant(call("a", { input: "{}" })), user(result("a")))],
    ["tool_use without tool_result in the next message", "messages[2]: b", talk(assistant(call("a"), call("b")), user(result("a")))],
    ["tool_result without its tool_use", "messages[1]: a", talk(user(result("a")))],
    ["tool_result behind other content", "messages[2]", talk(assistant(call("a")), user(text("x"), result("a")))],
    ["blank text block", "messages[2]", talk(assistant(call("a")), user(result("a", [text("")])))],
  ])("name: %s at %s", (rule, where, request) => {
    expect(lintMessagesRequest(request)).toContainEqual({ rule, where });
  });
});
