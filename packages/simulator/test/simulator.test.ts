import { describe, expect, it } from "vitest";
import { countTokens, type SimulatedReply, type SimulatedRequest, type Simulator } from "../src/index.js";
import { ask, functionTool, post, readStream, user } from "./chat-client.js";
import { openSimulators } from "./open-simulators.js";

const start = openSimulators();
const always = (reply: SimulatedReply): Promise<Simulator> => start({ respond: () => reply });
/** Lets the server notice what the client has done: at most 20 s, normally a few milliseconds. */
async function eventually(check: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !check(); turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(check()).toBe(true);
}

describe("a message", () => {
  const reply: SimulatedReply = {
    kind: "message",
    reasoning: "Think: \u{1F914} first.",
    text: 'Ein Satz, 一个句子.\n\n- "quoted"\n',
    toolCalls: [
      { name: "new_answer", input: { content: "A\nB \\ \u{1F600}" } },
      { name: "vote", input: {} },
    ],
  };
  const said = {
    text: reply.text,
    reasoning: reply.reasoning,
    finish: "tool_calls",
    calls: [
      { name: "new_answer", input: { content: "A\nB \\ \u{1F600}" } },
      { name: "vote", input: {} },
    ],
  };

  it.each([
    ["at once", undefined],
    ["token by token", { firstTokenMs: 0, tokensPerSecond: 100_000 }],
    ["several tokens a packet and an event", { firstTokenMs: 1, tokensPerSecond: 100_000, tokensPerPacket: 7, tokensPerEvent: 3 }],
  ])("says the same when streamed %s", async (_, pace) => {
    const simulator = await start({ respond: () => reply, ...(pace === undefined ? {} : { pace }) });
    expect(await ask(simulator, {})).toMatchObject(said);
  });

  it("says the same when not streamed", async () => {
    const simulator = await always(reply);
    const body = await (await post(simulator, {})).json();
    const { message, finish_reason } = body.choices[0];
    expect(finish_reason).toBe("tool_calls");
    expect(message.content).toBe(reply.text);
    expect(
      message.tool_calls.map((call: { function: { name: string; arguments: string } }) => ({
        name: call.function.name,
        input: JSON.parse(call.function.arguments),
      })),
    ).toEqual(said.calls);
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + body.usage.completion_tokens);
  });

  it("has ids that are unique over all replies, also when one reply is given twice", async () => {
    const simulator = await always(reply);
    const calls = [...(await ask(simulator, {})).calls, ...(await ask(simulator, {})).calls];
    expect(new Set(calls.map((call) => call.id)).size).toBe(4);
  });

  it("keeps a private-use character of its text apart from the place of its id", async () => {
    const simulator = await always({ kind: "message", text: "a\uE000\uE000b" });
    expect((await ask(simulator, {})).text).toBe("a\uE000\uE000b");
  });

  it("counts tokens unless the reply says otherwise, and tells usage only when asked", async () => {
    const simulator = await start({
      respond: ({ index }) =>
        index === 0
          ? { kind: "message", text: "one two three" }
          : { kind: "message", text: "x", usage: { inputTokens: 7, outputTokens: 9 } },
    });
    expect((await ask(simulator, {})).usage).toMatchObject({ prompt_tokens: simulator.requests[0]!.inputTokens, completion_tokens: 3 });
    expect((await ask(simulator, {})).usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 9 });
    expect((await ask(simulator, { stream_options: {} })).usage).toBeNull();
  });

  it("ends as the reply says", async () => {
    const simulator = await start({ respond: ({ index }) => ({ kind: "message", text: "…", finish: index === 0 ? "length" : "refusal" }) });
    expect((await ask(simulator, {})).finish).toBe("length");
    expect((await ask(simulator, {})).finish).toBe("content_filter");
  });

  it("carries the clock in the place of each token on request", async () => {
    const simulator = await start({ respond: () => ({ kind: "message", text: "one two three" }), stamps: "clock" });
    const stamps = (await ask(simulator, {})).text.trim().split(" ").map(Number);
    expect(stamps).toHaveLength(3);
    expect(Math.abs(Number(process.hrtime.bigint()) - stamps[2]!)).toBeLessThan(10e9);
  });
});

describe("a reply that is no message", () => {
  it("fails with the vendor's error object, or with what the script wants", async () => {
    const replies: SimulatedReply[] = [
      { kind: "failure", status: 503 },
      { kind: "failure", status: 429, headers: { "retry-after": "3" }, body: { error: { message: "slow down" } } },
      { kind: "failure", status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" },
    ];
    const simulator = await start({ respond: ({ index }) => replies[index]! });
    const [overloaded, limited, html] = [await post(simulator, {}), await post(simulator, {}), await post(simulator, {})];
    expect([overloaded.status, (await overloaded.json()).error.type]).toEqual([503, "server_error"]);
    expect([limited.headers.get("retry-after"), await limited.json()]).toEqual(["3", { error: { message: "slow down" } }]);
    expect([html.headers.get("content-type"), await html.text()]).toEqual(["text/html", "<h1>Bad gateway</h1>"]);
    expect(simulator.requests.map((entry) => entry.status)).toEqual([503, 429, 502]);
  });

  it("cuts a stream after so many events, and everything before the cut arrives", async () => {
    const simulator = await always({ kind: "cut", text: "one two three four", after: 2 });
    const response = await post(simulator, { stream: true });
    let text = "";
    const reading = (async () => {
      for await (const bytes of response.body!) text += Buffer.from(bytes).toString("utf8");
    })();
    await expect(reading).rejects.toThrow();
    expect(text.match(/"content":"[^"]+"/g)).toEqual(['"content":"one"', '"content":" two"']);
    expect(text).not.toContain("[DONE]");
    expect(simulator.requests[0]).toMatchObject({ outputTokens: 2, clientLeft: false });
  });

  it("cuts a body that is not streamed in its middle", async () => {
    const simulator = await always({ kind: "cut", text: "one two three four", after: 2 });
    const response = await post(simulator, {});
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it.each([true, false])("stalls after the headers, stream: %s", async (stream) => {
    const simulator = await always({ kind: "stall" });
    const leaving = new AbortController();
    const response = await post(simulator, { stream }, { signal: leaving.signal });
    expect(response.status).toBe(200);
    const body = response.text();
    leaving.abort();
    await expect(body).rejects.toThrow();
    await eventually(() => simulator.requests[0]!.clientLeft);
  });

  it("stalls in the middle of a text", async () => {
    const simulator = await always({ kind: "stall", text: "one two" });
    const reader = (await post(simulator, { stream: true })).body!.getReader();
    let text = "";
    while (!text.includes(" two")) text += Buffer.from((await reader.read()).value!).toString("utf8");
    const next = reader.read();
    expect(await Promise.race([next, new Promise((resolve) => setImmediate(() => resolve("silence")))])).toBe("silence");
    await simulator.close();
    await expect(next).rejects.toThrow();
  });

  it("does not even send a status line when mute", async () => {
    const simulator = await always({ kind: "mute" });
    const leaving = new AbortController();
    const response = post(simulator, {}, { signal: leaving.signal });
    await eventually(() => simulator.requests.length === 1);
    leaving.abort();
    await expect(response).rejects.toThrow();
    await eventually(() => simulator.requests[0]!.clientLeft);
    expect(simulator.requests[0]).toMatchObject({ status: null, firstByteAtMs: null });
  });

  it("is a 500 with the reason when the script breaks", async () => {
    const simulator = await start({ respond: () => Promise.reject(new Error("no more steps")) });
    const response = await post(simulator, {});
    expect([response.status, (await response.json()).error.message]).toEqual([500, "the simulator failed: no more steps"]);
  });
});

describe("the server", () => {
  it("shows the script what the request says", async () => {
    const seen: SimulatedRequest[] = [];
    const simulator = await start({
      respond(request) {
        seen.push(request);
        return { kind: "message", text: "ok" };
      },
    });
    const call = { id: "c1", type: "function", function: { name: "look", arguments: '{"q":1}' } } as const;
    await ask(
      simulator,
      {
        tools: [
          functionTool("look"),
          functionTool("vote", { type: "object", properties: { agent_id: { type: "string", enum: ["agent1"] } } }),
        ],
        tool_choice: { type: "function", function: { name: "vote" } },
        messages: [
          { role: "system", content: "Rules." },
          {
            role: "user",
            content: [
              { type: "text", text: "Part one." },
              { type: "text", text: "Part two." },
            ] as unknown as string,
          },
          { role: "assistant", content: null, tool_calls: [call] },
          { role: "tool", content: "found", tool_call_id: "c1" },
        ],
      },
      { authorization: "Bearer sk-secret-1234" },
    );
    expect(seen[0]).toMatchObject({
      api: "chat_completions",
      agent: "m",
      model: "m",
      index: 0,
      system: "Rules.",
      stream: true,
      tools: ["look", "vote"],
      toolChoice: { tool: "vote" },
      messages: [
        { role: "user", text: "Part one.\nPart two." },
        { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "look", arguments: '{"q":1}' }] },
        { role: "tool", text: "found", toolCallId: "c1" },
      ],
    });
    expect(seen[0]!.headers["authorization"]).toBe("…1234");
    expect(JSON.stringify(simulator.requests)).not.toContain("sk-secret");
  });

  it("counts requests per agent: by the header x-simulated-agent, else by the model", async () => {
    const simulator = await start({ respond: ({ agent, index }) => ({ kind: "message", text: `${agent} ${index}` }) });
    const ada = { "x-simulated-agent": "ada" };
    const texts = [
      await ask(simulator, {}, ada),
      await ask(simulator, {}),
      await ask(simulator, {}, ada),
      await ask(simulator, { model: "n" }),
    ];
    expect(texts.map((answer) => answer.text)).toEqual(["ada 0", "m 0", "ada 1", "n 0"]);
  });

  it("keeps a ledger with times in order, tokens and the canonical text", async () => {
    const simulator = await start({
      respond: () => ({ kind: "message", text: "one two" }),
      pace: { firstTokenMs: 5, tokensPerSecond: 1000 },
    });
    await ask(simulator, { messages: [user("Hello there")], tools: [functionTool("look")] });
    const entry = simulator.requests[0]!;
    expect(entry.canonicalText).toBe('<tool> look\nDoes look.\n{"type":"object","properties":{}}\n<user>\nHello there\n');
    expect(entry).toMatchObject({
      agent: "m",
      index: 0,
      status: 200,
      outputTokens: 2,
      inputTokens: countTokens(entry.canonicalText),
      clientLeft: false,
      violations: [],
    });
    // A timer may be a fraction of a millisecond early by another clock.
    expect(entry.firstByteAtMs! - entry.arrivedAtMs).toBeGreaterThan(3);
    expect(entry.lastByteAtMs!).toBeGreaterThanOrEqual(entry.firstByteAtMs!);
  });

  it("keeps only numbers when told to forget bodies", async () => {
    const simulator = await start({ respond: () => ({ kind: "message", text: "one" }), bodies: "forget" });
    await ask(simulator, {});
    expect(simulator.requests[0]).toMatchObject({ body: null, canonicalText: "", outputTokens: 1 });
    expect(simulator.requests[0]!.inputTokens).toBeGreaterThan(0);
  });

  it("scales every delay", async () => {
    const simulator = await start({
      respond: () => ({ kind: "message", text: "one two", pace: { firstTokenMs: 3_600_000, tokensPerSecond: 0.001 } }),
      timeScale: 1e-6,
    });
    expect((await ask(simulator, {})).text).toBe("one two");
    const { arrivedAtMs, lastByteAtMs } = simulator.requests[0]!;
    expect(lastByteAtMs! - arrivedAtMs).toBeGreaterThanOrEqual(4.6);
  });

  it("lists its models and knows no others", async () => {
    const simulator = await start({ respond: () => ({ kind: "message", text: "ok" }), models: ["a", "b"] });
    const list = await (await fetch(`${simulator.baseUrl("chat_completions")}/models`)).json();
    expect(list.data.map((model: { id: string }) => model.id)).toEqual(["a", "b"]);
    const response = await post(simulator, { model: "c" });
    expect([response.status, (await response.json()).error.code]).toEqual([404, "model_not_found"]);
  });

  it.each([
    ["GET", "/"],
    ["GET", "/v1/chat/completions"],
    ["POST", "/v1/models"],
    ["POST", "/v1/embeddings"],
    ["POST", "/chat/completions"],
  ])("answers %s %s with a 404 and an error object", async (method, path) => {
    const simulator = await always({ kind: "mute" });
    const response = await fetch(simulator.url + path, { method });
    expect(response.status).toBe(404);
    expect((await response.json()).error).toMatchObject({ type: "invalid_request_error", code: "unknown_url" });
    expect(simulator.requests).toEqual([]);
  });

  it.each(["", "no json", "[1]", "null"])("answers the body %j with a 400", async (body) => {
    const simulator = await always({ kind: "mute" });
    const response = await fetch(`${simulator.url}/v1/chat/completions`, { method: "POST", body });
    expect([response.status, (await response.json()).error.type]).toEqual([400, "invalid_request_error"]);
  });

  it("ignores the query of a URL", async () => {
    const simulator = await always({ kind: "message", text: "ok" });
    const response = await fetch(`${simulator.url}/v1/chat/completions?api-version=1`, {
      method: "POST",
      body: JSON.stringify({ model: "m", messages: [user("Hi")], stream: true }),
    });
    expect(readStream(await response.text()).text).toBe("ok");
  });

  it("refuses what the vendor would refuse, uses up no reply for it, and lets it pass when lenient", async () => {
    const bad = { messages: [{ role: "tool", content: "?", tool_call_id: "c9" }] } as const;
    const strict = await start({ respond: ({ index }) => ({ kind: "message", text: `reply ${index}` }) });
    const response = await post(strict, bad);
    expect([response.status, (await response.json()).error.message]).toEqual([
      400,
      'Invalid request: tool result without its call (messages[0]: "c9").',
    ]);
    expect((await ask(strict, {})).text).toBe("reply 0");
    expect(strict.requests.map(({ index, violations }) => [index, violations.length])).toEqual([
      [null, 1],
      [0, 0],
    ]);

    const lenient = await start({ respond: () => ({ kind: "message", text: "ok" }), lenient: true });
    expect((await ask(lenient, bad)).text).toBe("ok");
    expect(lenient.requests[0]!.violations).toHaveLength(1);
  });

  it("close frees the port and breaks what is still open; a second close is harmless", async () => {
    const simulator = await always({ kind: "mute" });
    const hanging = expect(post(simulator, {})).rejects.toThrow();
    await eventually(() => simulator.requests.length === 1);
    await simulator.close();
    await simulator.close();
    await hanging;
    const again = await start({ respond: () => ({ kind: "message", text: "ok" }), port: Number(new URL(simulator.url).port) });
    expect(again.url).toBe(simulator.url);
  });

  it("rejects when the port is taken", async () => {
    const simulator = await always({ kind: "mute" });
    await expect(start({ respond: () => ({ kind: "mute" }), port: Number(new URL(simulator.url).port) })).rejects.toThrow(/EADDRINUSE/);
  });
});
