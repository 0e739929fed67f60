import type { JsonValue } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { lintChatCompletions } from "../src/wire/lint-chat-completions.js";
import { lintStrings } from "../src/wire/lint-strings.js";

type Fields = { readonly [key: string]: JsonValue };
const question = { role: "user", content: "Hi" };
const body = (fields: Fields): Fields => ({ model: "m", messages: [question], ...fields });
const tool = (name: JsonValue, parameters: JsonValue = { type: "object", properties: {} }): Fields => ({
  type: "function",
  function: { name, parameters },
});
const call = (id: JsonValue, fields: Fields = {}): Fields => ({
  id,
  type: "function",
  function: { name: "look", arguments: "{}", ...fields },
});
const calls = (...list: readonly Fields[]): Fields => ({ role: "assistant", content: null, tool_calls: list });
const result = (id: string): Fields => ({ role: "tool", tool_call_id: id, content: "found" });
const talk = (...messages: readonly Fields[]): Fields => body({ messages: [question, ...messages] });
const schema = (fields: Fields): Fields => body({ tools: [tool("look", { type: "object", properties: {}, ...fields })] });

describe("rules of Chat Completions", () => {
  it.each<[string, Fields]>([
    ["a plain question", body({ stream: true, stream_options: { include_usage: true } })],
    [
      "parts, names, unknown parameters",
      body({
        messages: [
          { role: "developer", content: "Be brief." },
          {
            role: "user",
            name: "ada",
            content: [
              { type: "text", text: "Hi" },
              { type: "image_url", image_url: { url: "data:," } },
            ],
          },
        ],
        top_k: 4,
      }),
    ],
    ["two calls, both answered, in any order", talk(calls(call("a"), call("b")), result("b"), result("a"), question)],
    ["reasoning that comes back with its calls", talk({ ...calls(call("a")), content: "", reasoning_content: "…" }, result("a"))],
    [
      "a rich schema",
      schema({
        properties: {
          list: { type: "array", items: { enum: ["a"] } },
          pair: { type: "array", prefixItems: [{}] },
          any: { anyOf: [{ type: "string" }, true] },
        },
      }),
    ],
    ["a forced tool", body({ tools: [tool("look")], tool_choice: { type: "function", function: { name: "look" } } })],
  ])("are kept by %s", (_, request) => {
    expect(lintChatCompletions(request)).toEqual([]);
  });

  it.each<[string, string, Fields]>([
    ["no model", "model", body({ model: "" })],
    ["no messages", "messages", body({ messages: [] })],
    ["stream_options without stream", "stream_options", body({ stream_options: {} })],
    ["max_tokens beside max_completion_tokens", "max_tokens", body({ max_tokens: 1, max_completion_tokens: 1 })],
    ["empty tools", "tools", body({ tools: [] })],
    ["more than 128 tools", "tools: 129", body({ tools: Array.from({ length: 129 }, (_, index) => tool(`t${index}`)) })],
    ["tool is no function", "tools[0]", body({ tools: [{ type: "web_search" }] })],
    ["tool name the vendor refuses", 'tools[0]: "a.b"', body({ tools: [tool("a.b")] })],
    ["tool name the vendor refuses", "tools[0]: null", body({ tools: [tool(null)] })],
    ["tool name is not unique", 'tools[1]: "look"', body({ tools: [tool("look"), tool("look")] })],
    ["tool_choice without tools", "tool_choice", body({ tool_choice: "auto" })],
    [
      "tool_choice names no tool",
      'tool_choice: "vote"',
      body({ tools: [tool("look")], tool_choice: { type: "function", function: { name: "vote" } } }),
    ],
    ["tool schema is not an object", "tools[0].function.parameters", body({ tools: [tool("look", "text")] })],
    ["tool schema does not have type object at its root", "tools[0].function.parameters", schema({ type: "string" })],
    ["object schema without properties", "tools[0].function.parameters", body({ tools: [tool("look", { type: "object" })] })],
    ["combinator at the root of a tool schema", "tools[0].function.parameters.anyOf", schema({ anyOf: [{ type: "object" }] })],
    ["array schema without items", "tools[0].function.parameters.list", schema({ properties: { list: { type: "array" } } })],
    ["empty enum", "tools[0].function.parameters.list[]", schema({ properties: { list: { type: "array", items: { enum: [] } } } })],
    ["schema is not an object", "tools[0].function.parameters.x.anyOf[0]", schema({ properties: { x: { anyOf: ["string"] } } })],
    ["unknown role", 'messages[1]: "bot"', talk({ role: "bot", content: "x" })],
    ["unknown field in a message", "messages[1].callId", talk({ role: "user", content: "x", callId: "1" })],
    ["unknown field in a message", "messages[2].name", talk(calls(call("a")), { ...result("a"), name: "look" })],
    ["empty tool_calls", "messages[1]", talk({ role: "assistant", content: "x", tool_calls: [] })],
    ["assistant message with nothing in it", "messages[1]", talk({ role: "assistant", content: null })],
    ["assistant message with nothing in it", "messages[1]", talk({ role: "assistant", content: "" })],
    ["empty content", "messages[1]", talk({ role: "user", content: [] })],
    ["no content", "messages[1]", talk({ role: "user", content: null })],
    ["content is neither text nor parts", "messages[1]", talk({ role: "user", content: 5 })],
    ["content part the vendor refuses", "messages[1].content[0]", talk({ role: "user", content: ["text"] })],
    [
      "content part the vendor refuses",
      "messages[2].content[0]",
      talk(calls(call("a")), { ...result("a"), content: [{ type: "image_url", image_url: {} }] }),
    ],
    ["tool call without id", "messages[1].tool_calls[0]", talk(calls(call("")), result(""))],
    ["tool call name the vendor refuses", 'messages[1].tool_calls[0]: ""', talk(calls(call("a", { name: "" })), result("a"))],
    [
      "tool call arguments are not the text of a JSON object",
      'messages[1].tool_calls[0]: ""',
      talk(calls(call("a", { arguments: "" })), result("a")),
    ],
    [
      "tool call arguments are not the text of a JSON object",
      "messages[1].tool_calls[0]: {}",
      talk(calls(call("a", { arguments: {} })), result("a")),
    ],
    ["tool call without a result", "messages[2]: a", talk(calls(call("a")), question)],
    ["tool call without a result", "end of messages: b", talk(calls(call("a"), call("b")), result("a"))],
    ["tool result without its call", 'messages[1]: "a"', talk(result("a"))],
    ["tool result without its call", 'messages[3]: "a"', talk(calls(call("a")), result("a"), result("a"))],
    ["tool call id is not unique", "messages[3].tool_calls[0]: a", talk(calls(call("a")), result("a"), calls(call("a")), result("a"))],
  ])("name: %s at %s", (rule, where, request) => {
    expect(lintChatCompletions(request)).toContainEqual({ rule, where });
  });

  it("find strings that no vendor can store, wherever they are", () => {
    expect(lintStrings({ a: ["fine \u{1F600}", "half \ud83d"], b: { c: "nul \0" } }, "body")).toEqual([
      { rule: "half of a surrogate pair", where: "body.a.1" },
      { rule: "NUL character", where: "body.b.c" },
    ]);
  });
});
