import { describe, expect, it } from "vitest";
import type { SimulatedReply, SimulatedRequest, Simulator } from "../src/index.js";
import { openSimulators } from "./open-simulators.js";

const start = openSimulators();
const always = (reply: SimulatedReply): Promise<Simulator> => start({ respond: () => reply });
const post = (simulator: Simulator, body: object = {}): Promise<Response> =>
  fetch(`${simulator.baseUrl("messages")}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", max_tokens: 100, messages: [{ role: "user", content: "Hello" }], ...body }),
  });

// biome-ignore lint/suspicious/noExplicitAny: events are read as a client without types would
type Event = any;
/** The blocks and the ending of a stream, put together as its events say. */
async function ask(simulator: Simulator, body: object = {}) {
  const text = await (await post(simulator, { stream: true, ...body })).text();
  const events: Event[] = text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const [name, data] = event.split("\n");
      const value = JSON.parse(data!.slice("data: ".length));
      expect(name).toBe(`event: ${value.type}`);
      return value;
    });
  const blocks: Event[] = [];
  let open: number | null = null;
  for (const { type, index, content_block, delta } of events) {
    if (type === "content_block_start") {
      expect([index, open]).toEqual([blocks.length, null]);
      open = index;
      blocks.push({ ...content_block, ...(content_block.type === "tool_use" ? { input: "" } : {}) });
    }
    if (type === "content_block_delta") {
      expect(index).toBe(open);
      const block = blocks[index];
      if (delta.type === "text_delta") block.text += delta.text;
      if (delta.type === "thinking_delta") block.thinking += delta.thinking;
      if (delta.type === "signature_delta") block.signature += delta.signature;
      if (delta.type === "input_json_delta") block.input += delta.partial_json;
    }
    if (type === "content_block_stop") open = null;
  }
  expect([events[0].type, events.at(-1).type, open]).toEqual(["message_start", "message_stop", null]);
  const content = blocks.map((block) => (block.type === "tool_use" ? { ...block, input: JSON.parse(block.input) } : block));
  return { content, ...events.at(-2).delta, usage: events.at(-2).usage };
}

describe("Messages", () => {
  const reply: SimulatedReply = {
    kind: "message",
    reasoning: "Think: \u{1F914} first.",
    text: 'Ein Satz, 一个句子.\n\n"quoted"\n',
    toolCalls: [
      { name: "new_answer", input: { content: "A\nB \\ \u{1F600}" } },
      { name: "vote", input: {} },
    ],
    usage: { inputTokens: 30, cachedTokens: 10, outputTokens: 7, reasoningTokens: 2 },
  };
  const said = {
    content: [
      { type: "thinking", thinking: reply.reasoning, signature: expect.stringMatching(/./) },
      { type: "text", text: reply.text },
      { type: "tool_use", name: "new_answer", input: { content: "A\nB \\ \u{1F600}" } },
      { type: "tool_use", name: "vote", input: {} },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 20, cache_read_input_tokens: 10, output_tokens: 7, output_tokens_details: { thinking_tokens: 2 } },
  };

  it.each([
    ["at once", undefined],
    ["token by token", { firstTokenMs: 0, tokensPerSecond: 100_000 }],
    ["several tokens a packet and an event", { firstTokenMs: 1, tokensPerSecond: 100_000, tokensPerPacket: 7, tokensPerEvent: 3 }],
  ])("says the same when streamed %s", async (_, pace) => {
    const simulator = await start({ respond: () => reply, ...(pace === undefined ? {} : { pace }) });
    expect(await ask(simulator)).toMatchObject(said);
  });

  it("says the same when not streamed, and its ids are unique over all replies", async () => {
    const simulator = await always(reply);
    const whole = await (await post(simulator)).json();
    expect(whole).toMatchObject({ type: "message", role: "assistant", ...said });
    const again = [await ask(simulator), await ask(simulator)];
    const ids = [whole, ...again].flatMap(({ content }) => content.slice(2).map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBe(6);
  });

  it.each([
    ["length", "max_tokens"],
    ["refusal", "refusal"],
    ["stop", "end_turn"],
  ] as const)("ends with %s as %s", async (finish, reason) => {
    expect((await ask(await always({ kind: "message", text: "x", finish }))).stop_reason).toBe(reason);
  });

  it("shows the script what the request says", async () => {
    const seen: SimulatedRequest[] = [];
    const simulator = await start({
      respond(request) {
        seen.push(request);
        return { kind: "message", text: "ok" };
      },
    });
    await ask(simulator, {
      system: [
        { type: "text", text: "Rules." },
        { type: "text", text: "More." },
      ],
      tools: [{ name: "look", description: "Looks.", input_schema: { type: "object", properties: {} } }],
      tool_choice: { type: "tool", name: "look" },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "One. " },
            { type: "text", text: "Two." },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "t1", name: "look", input: { q: 1 } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "found" }] },
            { type: "text", text: "Go on." },
          ],
        },
      ],
    });
    expect(seen).toMatchObject([
      {
        api: "messages",
        agent: "m",
        index: 0,
        system: "Rules.\nMore.",
        tools: ["look"],
        toolChoice: { tool: "look" },
        stream: true,
        messages: [
          { role: "user", text: "One. \nTwo." },
          { role: "assistant", text: "I look.", toolCalls: [{ id: "t1", name: "look", arguments: '{"q":1}' }] },
          { role: "tool", text: "found", toolCallId: "t1" },
          { role: "user", text: "Go on." },
        ],
      },
    ]);
    expect(simulator.requests[0]!.canonicalText).toMatch(/^<tool> look\n/);
  });

  it.each([
    [529, "overloaded_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
  ])("fails with status %i as %s", async (status, type) => {
    const response = await post(await always({ kind: "failure", status }));
    expect([response.status, await response.json()]).toMatchObject([status, { type: "error", error: { type } }]);
  });

  it("refuses what the vendor refuses", async () => {
    const response = await post(await always({ kind: "message", text: "x" }), { max_tokens: null });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { type: "invalid_request_error", message: expect.stringContaining("max_tokens missing") } },
    ]);
  });
});
