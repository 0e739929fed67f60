import type { JsonValue } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import type { SimulatedReply, SimulatedRequest, Simulator } from "../src/index.js";
import { lintResponses } from "../src/wire/lint-responses.js";
import { openSimulators } from "./open-simulators.js";

const start = openSimulators();
type Fields = { readonly [key: string]: JsonValue };
// biome-ignore lint/suspicious/noExplicitAny: events are read as a client without types would
type Wild = any;

const reply: SimulatedReply = {
  kind: "message",
  reasoning: "Think: \u{1F914} first.",
  text: 'Ein Satz, 一个句子.\n\n- "quoted"\n',
  toolCalls: [
    { name: "new_answer", input: { content: "A\nB \\ \u{1F600}" } },
    { name: "vote", input: {} },
  ],
};

async function post(simulator: Simulator, body: Fields = {}): Promise<Response> {
  return fetch(`${simulator.baseUrl("responses")}/responses`, {
    method: "POST",
    body: JSON.stringify({ model: "m", input: "Hello", stream: true, ...body }),
  });
}

async function eventsOf(simulator: Simulator, body?: Fields): Promise<readonly Wild[]> {
  const text = await (await post(simulator, body)).text();
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const [name, data] = event.split("\n");
      const value = JSON.parse(data!.replace(/^data: /, ""));
      expect(name).toBe(`event: ${value.type}`);
      return value;
    });
}

describe("a message over Responses", () => {
  it.each([
    ["at once", undefined],
    ["token by token", { firstTokenMs: 0, tokensPerSecond: 100_000 }],
  ])("says the same in its pieces, in its items and at its end when streamed %s", async (_, pace) => {
    const simulator = await start({ respond: () => reply, ...(pace === undefined ? {} : { pace }) });
    for (let time = 1; time <= 2; time++) {
      const events = await eventsOf(simulator);
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
      const joined = (type: string) => events.map((event) => (event.type === `response.${type}.delta` ? event.delta : "")).join("");
      expect(joined("reasoning_summary_text")).toBe(reply.reasoning);
      expect(joined("output_text")).toBe(reply.text);
      expect(joined("function_call_arguments")).toBe(`${JSON.stringify({ content: "A\nB \\ \u{1F600}" })}{}`);
      const items = events.filter((event) => event.type === "response.output_item.done").map((event) => event.item);
      expect(items.map((item) => item.type)).toEqual(["reasoning", "message", "function_call", "function_call"]);
      expect(items[2].call_id).toBe(`call_${time}_0`);
      const { response } = events.at(-1);
      expect(events.at(-1).type).toBe("response.completed");
      expect(response.output).toEqual(items);
      expect(response.usage.total_tokens).toBe(response.usage.input_tokens + response.usage.output_tokens);
      expect(JSON.stringify(events)).not.toContain("\uE000");
    }
  });

  it("says the same when not streamed", async () => {
    const simulator = await start({ respond: () => reply });
    const body = await (await post(simulator, { stream: false })).json();
    expect(body).toMatchObject({
      status: "completed",
      output: [
        { type: "reasoning", summary: [{ text: reply.reasoning }] },
        { type: "message", content: [{ type: "output_text", text: reply.text }] },
        { type: "function_call", name: "new_answer", arguments: JSON.stringify({ content: "A\nB \\ \u{1F600}" }) },
        { type: "function_call", name: "vote", arguments: "{}" },
      ],
    });
  });

  it.each([
    ["length", "max_output_tokens"],
    ["refusal", "content_filter"],
  ] as const)("that ends by %s is incomplete", async (finish, reason) => {
    const simulator = await start({ respond: () => ({ kind: "message", text: "Half", finish }) });
    expect((await eventsOf(simulator)).at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason }, output: [{ status: "incomplete", content: [{ text: "Half" }] }] },
    });
  });
});

describe("a request over Responses", () => {
  it("is shown to the script as any other", async () => {
    const seen: SimulatedRequest[] = [];
    const simulator = await start({
      respond(request) {
        seen.push(request);
        return { kind: "message", text: "ok" };
      },
    });
    const call = (id: string): Fields => ({ type: "function_call", call_id: id, name: "look", arguments: '{"q":1}' });
    await eventsOf(simulator, {
      instructions: "Rules.",
      tools: [{ type: "web_search" }, { type: "function", name: "look", parameters: { type: "object", properties: {} } }],
      tool_choice: { type: "function", name: "look" },
      store: false,
      input: [
        { role: "developer", content: "More." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "Part one." },
            { type: "input_text", text: "Part two." },
          ],
        },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
        call("c1"),
        call("c2"),
        { type: "function_call_output", call_id: "c1", output: "found" },
        { type: "function_call_output", call_id: "c2", output: [{ type: "input_text", text: "nothing" }] },
      ],
    });
    const made = (id: string) => ({ id, name: "look", arguments: '{"q":1}' });
    expect(seen[0]).toMatchObject({
      api: "responses",
      model: "m",
      system: "Rules.\n\nMore.",
      stream: true,
      tools: ["look"],
      toolChoice: { tool: "look" },
      messages: [
        { role: "user", text: "Part one.\nPart two." },
        { role: "assistant", text: "I look.", toolCalls: [made("c1"), made("c2")] },
        { role: "tool", text: "found", toolCallId: "c1" },
        { role: "tool", text: "nothing", toolCallId: "c2" },
      ],
    });
  });

  it("that breaks a rule is a 400 with the rule", async () => {
    const simulator = await start({ respond: () => reply });
    const response = await post(simulator, { input: [{ type: "function_call_output", call_id: "c9", output: "?" }] });
    expect([response.status, (await response.json()).error.message]).toEqual([
      400,
      'Invalid request: tool result without its call (input[0]: "c9").',
    ]);
  });
});

describe("rules of Responses", () => {
  const question = { role: "user", content: "Hi" };
  const body = (fields: Fields): Fields => ({ model: "m", input: [question], store: false, ...fields });
  const talk = (...items: readonly Fields[]): Fields => body({ input: [question, ...items] });
  const tool = (name: JsonValue, parameters: JsonValue = { type: "object", properties: {} }): Fields => ({
    type: "function",
    name,
    parameters,
  });
  const call = (id: string, fields: Fields = {}): Fields => ({
    type: "function_call",
    call_id: id,
    name: "look",
    arguments: "{}",
    ...fields,
  });
  const output = (id: string, value: JsonValue = "found"): Fields => ({ type: "function_call_output", call_id: id, output: value });
  const thought: Fields = { type: "reasoning", id: "rs", summary: [], encrypted_content: "x" };
  const said: Fields = { role: "assistant", content: [{ type: "output_text", text: "So." }] };

  it.each<[string, Fields]>([
    ["a plain question", body({ input: "Hi", temperature: 1 })],
    ["two calls, both answered, in any order", talk(thought, call("a"), call("b"), output("b"), output("a"), question)],
    [
      "thoughts before a text, before more thoughts, before a search",
      talk(thought, said, thought, thought, { type: "web_search_call", id: "w" }, said),
    ],
    ["thoughts that are stored", { ...talk({ type: "reasoning", id: "rs", summary: [] }, said), store: true }],
    ["media in a result", talk(call("a"), output("a", [{ type: "input_image", image_url: "data:," }]))],
    [
      "a forced tool beside one of the vendor's",
      body({ tools: [{ type: "web_search" }, tool("look")], tool_choice: { type: "function", name: "look" } }),
    ],
  ])("are kept by %s", (_, request) => expect(lintResponses(request)).toEqual([]));

  it.each<[string, string, Fields]>([
    ["no model", "model", body({ model: "" })],
    ["no input", "input", body({ input: [] })],
    ["no input", "input", body({ input: "" })],
    ["parameter of another API", "max_tokens", body({ max_tokens: 1 })],
    ["text.format is no object", "text.format", body({ text: { format: "json" } })],
    ["more than 128 tools", "tools: 129", body({ tools: Array.from({ length: 129 }, (_, index) => tool(`t${index}`)) })],
    ["tool without a type", "tools[0]", body({ tools: [{ name: "look" }] })],
    ["tool name the vendor refuses", 'tools[0]: "a.b"', body({ tools: [tool("a.b")] })],
    ["tool name the vendor refuses", "tools[0]: nothing", body({ tools: [{ type: "function", function: { name: "look" } }] })],
    ["tool name is not unique", 'tools[1]: "look"', body({ tools: [tool("look"), tool("look")] })],
    [
      "array schema without items",
      "tools[0].parameters.x",
      body({ tools: [tool("t", { type: "object", properties: { x: { type: "array" } } })] }),
    ],
    ["tool_choice without tools", "tool_choice", body({ tool_choice: "auto" })],
    ["tool_choice names no tool", 'tool_choice: "vote"', body({ tools: [tool("look")], tool_choice: { type: "function", name: "vote" } })],
    ["unknown role", 'input[1]: "bot"', talk({ role: "bot", content: "x" })],
    ["unknown item", 'input[1]: "note"', talk({ type: "note" })],
    ["content is neither text nor parts", "input[1]", talk({ role: "user", content: 5 })],
    ["empty content", "input[1]", talk({ role: "user", content: [] })],
    ["content part the vendor refuses", "input[1].content[0]", talk({ role: "user", content: [{ type: "text", text: "x" }] })],
    ["content part the vendor refuses", "input[1].content[0]", talk({ role: "assistant", content: [{ type: "input_text", text: "x" }] })],
    ["tool call without id", "input[1]", talk(call(""), output(""))],
    ["tool call id is not unique", "input[3]: a", talk(call("a"), output("a"), call("a"), output("a"))],
    ["tool call name the vendor refuses", 'input[1]: ""', talk(call("a", { name: "" }), output("a"))],
    ["tool call arguments are not the text of a JSON object", 'input[1]: ""', talk(call("a", { arguments: "" }), output("a"))],
    ["tool call without a result", "end of input: b", talk(call("a"), call("b"), output("a"))],
    ["tool result without its call", 'input[1]: "a"', talk(output("a"), call("a"))],
    ["output is neither text nor parts", "input[2]", talk(call("a"), output("a", { found: true }))],
    ["reasoning without the item that followed it", 'input[1]: "rs"', talk(thought)],
    ["reasoning without the item that followed it", 'input[1]: "rs"', talk(thought, question)],
    ["reasoning without encrypted_content while nothing is stored", 'input[1]: "rs"', talk({ type: "reasoning", id: "rs" }, said)],
  ])("name: %s at %s", (rule, where, request) => expect(lintResponses(request)).toContainEqual({ rule, where }));
});
