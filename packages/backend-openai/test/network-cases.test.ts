import { describe, expect, it } from "vitest";
import { createOpenAI } from "../src/index.js";
import type { Reply } from "./replay-server.js";
import { answered, collect, ended, failed, KEY, openBench, turnRequest } from "./turns.js";
import { completed, event, reasoningItem, sse, textDelta, textItem } from "./wire.js";

const text: Reply = { recording: "text.sse" };
const TEXT = "Both are on the desk.";
const refuse = (message: string, fields: object = {}): Reply => ({
  status: 400,
  json: { error: { message, type: "invalid_request_error", param: null, code: null, ...fields } },
});

describe("what a server teaches", () => {
  it.each([
    ["temperature", "Unsupported parameter: 'temperature' is not supported with this model."],
    ["top_p", "Unsupported value: 'top_p' does not support 0.5 with this model. Only the default (1) value is supported."],
    ["parallel_tool_calls", "Unsupported parameter: 'parallel_tool_calls'"],
    ["tool_choice", "Tool choice must be auto"],
    ["include", "Encrypted content is not supported with this model."],
  ])("%s is refused once, and not sent again", async (field, message) => {
    const { turn, server } = await openBench([refuse(message), text], {
      params: { temperature: 0.2, top_p: 0.5, parallel_tool_calls: true },
    });
    const first = await turn({ toolChoice: "required" });
    expect(first).toMatchObject({
      text: TEXT,
      retries: [{ waitMs: 0, message: expect.stringContaining(`Asking again with no ${field}.`) }],
    });
    const second = await turn({ toolChoice: "required" });
    expect(server.requests.map(({ body }) => field in body)).toEqual([true, false, false]);
    // A wish that is not sent any more is said, once.
    const isWish = field === "temperature" || field === "top_p";
    const third = await turn({ toolChoice: "required" });
    expect([second, third].map(({ events }) => (events[0] as { warnings: readonly string[] }).warnings)).toEqual([
      isWish ? [`"${field}" was left out: OpenAI refused it for "replay-model".`] : [],
      [],
    ]);
  });

  it("instructions become a message", async () => {
    const { turn, server } = await openBench([refuse("Argument not supported: instructions", { param: "instructions" }), text]);
    expect((await turn()).text).toBe(TEXT);
    expect(server.requests[1]?.body.input[0]).toEqual({ role: "developer", content: "You have a desk." });
    expect(server.requests[1]?.body).not.toHaveProperty("instructions");
  });

  it("a summary nobody may have is given up, the effort is not", async () => {
    const message = "Your organization must be verified to generate reasoning summaries.";
    const { turn, server } = await openBench([refuse(message, { param: "reasoning.summary", code: "unsupported_value" }), text], {
      model: "gpt-5.2",
    });
    expect((await turn()).text).toBe(TEXT);
    expect(server.requests.map(({ body }) => body.reasoning)).toEqual([{ effort: "medium", summary: "auto" }, { effort: "medium" }]);
  });

  it.each([
    ["a temperature out of range", "temperature must be at most 2"],
    [
      "an effort the model does not have",
      "Unsupported value: 'xhigh' is not supported with the 'gpt-5' model. Supported values are: 'low', 'high'.",
    ],
    ["a schema that is none", "Invalid schema for function 'x': array schema missing items."],
  ])("%s is the user's to mend: no second request", async (_, message) => {
    const { turn, server } = await openBench([refuse(message)], { params: { temperature: 9, reasoning: { effort: "xhigh" } } });
    expect(failed(await turn()).failure).toMatchObject({ kind: "backend_fatal", message: expect.stringContaining(message) });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["cannot be decrypted", refuse("The encrypted content gAAA could not be verified.", { code: "invalid_encrypted_content" })],
    ["lack their companion", refuse("Item 'rs_1' of type 'reasoning' was provided without its required following item.")],
    ["are not stored", { status: 404, json: { error: { message: "Item with id 'rs_1' not found.", type: "invalid_request_error" } } }],
  ])("thoughts that %s are left out from then on, and newer ones are not", async (_, refusal) => {
    const thinking = (id: string): Reply => sse(completed([reasoningItem(id, "Hm."), textItem(`m-${id}`, "Yes.")]));
    const { turn, server } = await openBench([thinking("rs_1"), refusal as Reply, thinking("rs_2"), text]);
    const next = { role: "user", parts: [{ type: "text", text: "And?" }] } as const;
    const first = [...answered(await turn(), ""), next];
    const second = await turn({ messages: first });
    await turn({ messages: [...first, ended(second).message, next] });
    const thoughts = server.requests.map(({ body }) => body.input.flatMap(({ id }: { id?: string }) => id ?? []));
    expect(thoughts).toEqual([[], ["rs_1"], [], ["rs_2"]]);
    expect(server.broken).toEqual([]);
  });

  it("a server that refuses all thoughts gets none any more", async () => {
    const thinking = (id: string): Reply => sse(completed([reasoningItem(id, "Hm."), textItem(`m-${id}`, "Yes.")]));
    const refusal = refuse("Invalid value: 'reasoning'.", { param: "input[1]" });
    const { turn, server } = await openBench([thinking("rs_1"), refusal, thinking("rs_2"), refusal, thinking("rs_3"), text]);
    const next = { role: "user", parts: [{ type: "text", text: "And?" }] } as const;
    let messages = [...answered(await turn(), ""), next];
    for (let round = 2; round <= 4; round++) messages = [...messages, ended(await turn({ messages })).message, next];
    const thoughts = server.requests.map(({ body }) => body.input.flatMap(({ id }: { id?: string }) => id ?? []));
    expect(thoughts).toEqual([[], ["rs_1"], [], ["rs_2"], [], []]);
  });
});

describe("429 in all its forms (NW-01)", () => {
  const limited = (headers: Record<string, string>, message = "Rate limit reached"): Reply => ({
    status: 429,
    headers,
    json: { error: { message, type: "requests", param: null, code: "rate_limit_exceeded" } },
  });
  it.each([
    ["seconds", limited({ "retry-after": "2" }), 2000, 2000],
    ["milliseconds, which win over seconds", limited({ "retry-after-ms": "1500", "retry-after": "60" }), 1500, 1500],
    ["a sentence", limited({}, "Rate limit reached for gpt-5. Please try again in 1m2.5s."), 62_500, 62_500],
    ["a sentence in milliseconds", limited({}, "Please try again in 820ms."), 820, 820],
    ["nonsense, after an ordinary pause", limited({ "retry-after": "soon" }), 500, 1000],
  ])("waits as asked: %s", async (_, reply, least, most) => {
    const { turn, server } = await openBench([reply, text]);
    const result = await turn();
    expect(result.text).toBe(TEXT);
    expect(result.retries[0]!.waitMs).toBeGreaterThanOrEqual(least);
    expect(result.retries[0]!.waitMs).toBeLessThanOrEqual(most);
    expect(server.requests).toHaveLength(2);
  });

  it("two hours are beyond the limit, and an account without quota is asked once", async () => {
    const hours = await openBench([limited({ "retry-after": "7200" })]);
    expect(failed(await hours.turn()).failure).toMatchObject({ kind: "backend_fatal", message: expect.stringContaining("2 h") });
    const json = { error: { message: "You exceeded your current quota.", code: "insufficient_quota" } };
    const quota = await openBench([{ status: 429, json }]);
    expect(failed(await quota.turn()).failure).toMatchObject({ kind: "backend_fatal", message: expect.stringContaining("no quota left") });
    expect([hours.server.requests.length, quota.server.requests.length]).toEqual([1, 1]);
  });
});

describe("a vendor that goes silent (NW-02)", () => {
  const created = event("response.created", { response: {} }) + event("response.in_progress", { response: {} });
  const play = async (reply: Reply, pauseMs: number) => {
    const bench = await openBench([], { timeoutMs: 20_000 });
    bench.server.script({ ...reply, between: () => bench.ambient.clock.advance(pauseMs) });
    return { ...bench, result: await bench.turn() };
  };

  it.each([
    ["comments", ": waiting\n\n"],
    ["keepalives", event("keepalive", { sequence_number: 4 })],
    ["empty pieces", textDelta(0, "")],
  ])("%s are no sign of life", async (_, beat) => {
    const { result, server } = await play({ text: created + beat.repeat(100), cutEvery: beat.length, end: "hang" }, 3000);
    expect(failed(result).failure.message).toBe("OpenAI (replay-model) has sent nothing for 20 s.");
    expect(server.requests).toHaveLength(3);
  });

  it("a search that reports its progress is one, however long it takes", async () => {
    const beat = event("response.web_search_call.searching", { item_id: "ws", output_index: 0 });
    const { result, server } = await play({ text: beat.repeat(20) + textDelta(0, "Found.") + completed(), cutEvery: beat.length }, 3000);
    expect(result.text).toBe("Found.");
    expect(server.requests).toHaveLength(1);
  });
});

describe("where requests go", () => {
  it.each([
    ["/v1", "/v1/responses"],
    ["/v1/", "/v1/responses"],
    ["/v1/responses/", "/v1/responses"],
    ["/v1?api-version=preview", "/v1/responses?api-version=preview"],
    ["/openai/v1\n", "/openai/v1/responses"],
    ["", "/v1/responses"],
  ])("NW-03: %j behind the host reaches %s", async (written, path) => {
    for (const id of ["openai", "grok"]) {
      const { server, ambient } = await openBench([text]);
      const backend = createOpenAI({ id, model: "replay-model", apiKey: KEY, baseUrl: `  ${server.origin}${written}`, ambient });
      await collect(backend.stream(turnRequest(), new AbortController().signal));
      expect(server.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
        ["POST", path, `Bearer ${KEY}`],
      ]);
    }
  });

  it("nothing of the machine goes along, and the headers of the user do", async () => {
    const { turn, server } = await openBench([text], { headers: { "OpenAI-Organization": "org-1" } });
    await turn();
    const sent = Object.keys(server.requests[0]!.headers);
    expect(sent.filter((name) => /stainless|project|beta/i.test(name))).toEqual([]);
    expect(server.requests[0]?.headers["openai-organization"]).toBe("org-1");
  });

  it.each([
    [{ id: "claude" }, "UNKNOWN_BACKEND"],
    [{ id: "toString" }, "UNKNOWN_BACKEND"],
    [{ baseUrl: "127.0.0.1/v1" }, "CONFIG_INVALID"],
    [{ apiKey: "two words" }, "CONFIG_INVALID"],
  ])("%j is refused at once", (options, code) => {
    expect(() => createOpenAI({ model: "m", ...options })).toThrow(expect.objectContaining({ code, exitCode: 1 }));
  });

  it("a server that has another API is told so, with the type that reaches it", async () => {
    const { turn } = await openBench([{ status: 404, json: { detail: "Not Found" } }]);
    expect(failed(await turn()).failure.message).toContain('A server without the Responses API is reached with the type "chatcompletion".');
    const model = await openBench([{ status: 404, json: { error: { message: "The model 'm' does not exist", code: "model_not_found" } } }]);
    expect(failed(await model.turn()).failure.message).not.toContain("chatcompletion");
  });

  it("a key in the vendor's mouth is not repeated, whole or masked", async () => {
    const json = { error: { message: `Incorrect API key provided: ${KEY}, also seen as sk-proj-********abcd.`, code: "invalid_api_key" } };
    const { turn, server } = await openBench([{ status: 401, headers: { "x-request-id": "req_42" }, json }], { keyName: "OPENAI_API_KEY" });
    expect(failed(await turn()).failure).toMatchObject({
      kind: "backend_fatal",
      message:
        `OpenAI does not accept the API key (status 401, code invalid_api_key, request req_42, model replay-model, at ${server.url}/responses): ` +
        `"Incorrect API key provided: [REDACTED], also seen as [REDACTED]." Check OPENAI_API_KEY.`,
    });
  });
});

describe("tools with awkward names over the wire (SC-01)", () => {
  it("are called under their own names, and go out the same in every request", async () => {
    const tools = ["files.read", "files_read", "9lives", "read file", "查询", "a/b:c"].map((name) => ({
      name,
      description: name,
      input: {},
    }));
    const { turn, server } = await openBench([text]);
    await turn({ tools });
    const wire: readonly string[] = server.requests[0]!.body.tools.map(({ name }: { name: string }) => name);
    const items = wire.map((name, index) => ({
      id: `fc_${index}`,
      type: "function_call",
      call_id: `call_${index}`,
      name,
      arguments: "{}",
      status: "completed",
    }));
    server.script(sse(completed(items)), text);
    const result = await turn({ tools });
    expect(result.calls.map(({ tool }) => tool)).toEqual(tools.map(({ name }) => name));
    await turn({ tools, messages: answered(result, "ok") });
    expect(server.broken).toEqual([]);
    expect(JSON.stringify(server.requests[2]?.body.tools)).toBe(JSON.stringify(server.requests[0]?.body.tools));
  });
});

describe("the phase of a message", () => {
  it("comes back with it in the next request", async () => {
    const output = [textItem("m1", "I look.", { phase: "commentary" }), textItem("m2", "A lamp.", { phase: "final_answer" })];
    const { turn, server } = await openBench([sse(completed(output)), text]);
    const messages = [...answered(await turn(), ""), { role: "user", parts: [{ type: "text", text: "And?" }] } as const];
    await turn({ messages });
    expect(server.requests[1]?.body.input.slice(1, 3).map(({ phase }: { phase: string }) => phase)).toEqual(["commentary", "final_answer"]);
  });
});
