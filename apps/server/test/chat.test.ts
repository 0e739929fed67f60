import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { hashKey, keyRing, type ServerOptions } from "../src/index.js";
import { events, post, type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});
async function serving(respond: Respond, ids?: readonly string[], change?: Partial<ServerOptions>): Promise<Served> {
  const served = await serve(respond, ids, change);
  open.push(served);
  return served;
}

const twoAgents = (): Respond =>
  scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
    "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
  });
const hello = { model: "massgen", messages: [{ role: "user", content: "Say hello." }] };
const says = (text: string): Respond => scriptedTeam({ "solo-model": Array.from({ length: 50 }, () => step.text(text)) });
const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object", properties: {} } } }) as const;

type Reply = OpenAI.ChatCompletion & {
  readonly massgen_metadata: { readonly log_directory: string };
  readonly choices: readonly { readonly message: { readonly reasoning_content?: string } }[];
};
type Chunk = OpenAI.ChatCompletionChunk & {
  readonly choices: readonly { readonly delta: { readonly reasoning_content?: string } }[];
};
const replyOf = async (response: Promise<Response>): Promise<Reply> => (await (await response).json()) as Reply;
const chunksOf = (frames: readonly string[]): readonly Chunk[] => frames.slice(0, -1).map((frame) => JSON.parse(frame) as Chunk);
const client = ({ url }: Served): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });

describe("POST /v1/chat/completions", () => {
  it("gives the winner's presentation with usage, trace and what was decided", async () => {
    const served = await serving(twoAgents());
    const reply = await replyOf(post(served.url, { ...hello, messages: [{ role: "user", content: "Which cache?" }] }));
    expect(reply).toMatchObject({
      object: "chat.completion",
      model: "massgen",
      choices: [{ index: 0, message: { role: "assistant", content: "ARC it is." }, finish_reason: "stop" }],
      massgen_metadata: {
        config_used: "massgen",
        selected_agent: "bob",
        vote_results: { vote_counts: { bob: 2 }, winner: "bob", is_tie: false, agent_mapping: { agent1: "ada", agent2: "bob" } },
        answers: [
          { label: "agent1.1", agent_id: "ada", content: "Use LRU." },
          { label: "agent2.1", agent_id: "bob", content: "Use ARC." },
        ],
      },
    });
    expect(reply.usage?.total_tokens).toBe((reply.usage?.prompt_tokens ?? 0) + (reply.usage?.completion_tokens ?? 0));
    expect(reply.usage?.prompt_tokens).toBeGreaterThan(0);
    expect(reply.choices[0]?.message.reasoning_content).toMatch(/^\[bob\] voted for agent2\.1 \(its own\): mine$/m);
    expect(reply.massgen_metadata.log_directory).toMatch(/^\.massgen\/massgen_logs\/log_/);
    expect(JSON.stringify(reply)).not.toContain(served.folder);
  });

  it("SV-01: a stream has one head, the role once, the answer in pieces, one reason to stop, and [DONE]", async () => {
    const served = await serving(twoAgents());
    const response = await post(served.url, { ...hello, stream: true });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const frames = await events(response);
    expect(frames.at(-1)).toBe("[DONE]");
    const chunks = chunksOf(frames);
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
    expect(chunks.map(({ choices }) => choices[0]?.delta.role).filter(Boolean)).toEqual(["assistant"]);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("ARC it is.");
    const firstContent = chunks.findIndex(({ choices }) => choices[0]?.delta.content);
    expect(chunks.slice(firstContent).every(({ choices }) => choices[0]?.delta.reasoning_content === undefined)).toBe(true);
    expect(chunks.slice(0, firstContent).some(({ choices }) => choices[0]?.delta.reasoning_content?.includes("[ada]"))).toBe(true);
    expect(chunks.filter(({ choices }) => choices[0]?.finish_reason === "stop")).toEqual([chunks.at(-1)]);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ delta: {} }], massgen_metadata: { selected_agent: "bob" } });
  });

  it("SV-01: usage in a frame of its own when it is asked for", async () => {
    const served = await serving(twoAgents());
    const frames = await events(await post(served.url, { ...hello, stream: true, stream_options: { include_usage: true } }));
    const chunks = chunksOf(frames);
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
  });

  it.each([
    ["not JSON", '{"model":"massgen","messages":[{"role":"user","content":"Say hel', 400, null],
    ["no messages", { model: "massgen" }, 400, "messages"],
    ["no message of the user", { messages: [{ role: "system", content: "x" }] }, 400, "messages"],
    ["three answers", { ...hello, n: 3 }, 400, "n"],
    ["an array", [], 400, null],
    ["a number", "17", 400, null],
    ["an unknown team", { ...hello, model: "massgen/nonsense" }, 400, "model"],
    ["a path that leads out", { ...hello, model: "massgen/path:../../etc/passwd" }, 403, "model"],
    ["an absolute path", { ...hello, model: "massgen/path:/etc/passwd" }, 403, "model"],
  ])("SV-01: %s is an error object", async (_name, body, status, param) => {
    const served = await serving(says("hi"), ["solo"]);
    const response = await post(served.url, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { message: expect.any(String), type: expect.any(String), param, code: expect.any(String) },
    });
  });

  it("SV-01: extra fields are ignored, an unknown model is the default, an unknown path is 404", async () => {
    const served = await serving(says("hi"), ["solo"]);
    const extras = {
      n: 1,
      temperature: 0,
      tools: [],
      tool_choice: "none",
      response_format: { type: "text" },
      unknown_future_field: { x: 1 },
    };
    expect((await post(served.url, { ...hello, ...extras })).status).toBe(200);
    expect((await post(served.url, { ...hello, model: "gpt-nonsense" })).status).toBe(200);
    const missing = await fetch(`${served.url}/v1/nothing`);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { code: "not_found", param: null } });
  });

  it("SV-01: a large body is answered, one that is too large refused in words", async () => {
    const served = await serving(says("hi"), ["solo"]);
    const large = (megabytes: number) => ({ messages: [{ role: "user", content: `Hello. ${"x".repeat(megabytes * 1024 * 1024)}` }] });
    expect((await post(served.url, large(8))).status).toBe(200);
    const refused = await post(served.url, large(21));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: { code: "body_too_large" } });
  });

  it("SV-01: with keys, only who has one is served, and no key is in an answer or log", async () => {
    const keys = keyRing([{ name: "alice", hash: hashKey("right-key-1234") }]);
    const served = await serving(says("hi"), ["solo"], { keys, log: null });
    const asks = (headers: Record<string, string>) =>
      post(served.url, hello, { headers: { "content-type": "application/json", ...headers } });
    for (const headers of [{}, { authorization: "Bearer wrong-key-5678" }, { authorization: "Basic right-key-1234" }]) {
      const response = await asks(headers);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("wrong-key");
    }
    expect((await asks({ authorization: "Bearer right-key-1234" })).status).toBe(200);
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
    expect((await fetch(`${served.url}/metrics`)).status).toBe(401);
  });

  it("without keys is not to be called under a name of somebody else's", async () => {
    const { server } = await serving(says("hi"), ["solo"], { allowedHosts: ["127.0.0.1", "localhost", "[::1]"] });
    const status = async (host: string): Promise<number> => (await server.app.inject({ url: "/v1/models", headers: { host } })).statusCode;
    for (const host of ["127.0.0.1:4000", "localhost", "LOCALHOST:1", "[::1]:4000"])
      expect([host, await status(host)]).toEqual([host, 200]);
    for (const host of ["evil.example", "127.0.0.1.evil.example:4000", "localhost.evil.example", "[::2]:4000"])
      expect([host, await status(host)]).toEqual([host, 403]);
  });

  it("SV-03: every kind of message is used or refused by name", async () => {
    const requests = JSON.parse(await readFile(new URL("fixtures/kinds-of-messages.json", import.meta.url), "utf8")) as readonly {
      readonly n: number;
      readonly body: unknown;
    }[];
    const served = await serving(says("noon"), ["solo"]);
    const status = new Map<number, number>();
    const texts = new Map<number, string>();
    for (const { n, body } of requests) {
      const response = await post(served.url, body);
      status.set(n, response.status);
      texts.set(n, await response.text());
    }
    // 6 asks for a call that this model does not make.
    expect([...status]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => [n, [3, 7, 8, 9, 10, 11].includes(n) ? 400 : 200]));
    expect(texts.get(3)).toContain("image_url");
    expect(texts.get(7)).toContain("tool_name_conflict");
    expect(texts.get(11)).toContain("input_audio");
    const sent = served.simulator.requests.map(({ canonicalText }) => canonicalText);
    expect(sent[0]).toContain("Answer in French.");
    expect(sent[1]).toContain("Hello there");
    expect(sent.join()).not.toContain("[object Object]");
    expect(sent[2]).toMatch(/call call_a of clock.*noon/s);
    expect(served.simulator.requests.flatMap(({ violations }) => violations)).toEqual([]);
  });
});

describe("tools of the client", () => {
  const asking = { ...hello, tools: [tool("clock")] };

  it("end the run with their calls, and their results come with the next request", async () => {
    const served = await serving(scriptedTeam({ "solo-model": [step.tool("clock", { zone: "UTC" }), step.text("It is noon.")] }), ["solo"]);
    const first = await replyOf(post(served.url, { ...asking, tool_choice: "required" }));
    const choice = first.choices[0]!;
    expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { content: "" } });
    expect(choice.message.tool_calls).toEqual([
      { id: expect.any(String), type: "function", function: { name: "clock", arguments: '{"zone":"UTC"}' } },
    ]);
    expect(served.simulator.requests[0]?.canonicalText).toContain("clock");
    const result = { role: "tool", tool_call_id: choice.message.tool_calls?.[0]?.id, content: "noon" };
    const second = await replyOf(post(served.url, { ...asking, messages: [...hello.messages, choice.message, result] }));
    expect(second.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "It is noon." } });
  });

  it("stream as one frame with whole arguments", async () => {
    const served = await serving(scriptedTeam({ "solo-model": [step.tool("clock", {})] }), ["solo"]);
    const frames = chunksOf(await events(await post(served.url, { ...asking, stream: true })));
    expect(frames.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toMatchObject([
      { index: 0, type: "function", function: { name: "clock", arguments: "{}" } },
    ]);
    expect(frames.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it("may not bear a name of the coordination", async () => {
    const served = await serving(says("hi"), ["solo"]);
    const response = await post(served.url, { ...hello, tools: [tool("vote"), tool("mcp__x"), tool("fine")] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "tool_name_conflict" },
      collisions: ["vote", "mcp__x"],
      detail: { error: { code: "tool_name_conflict" }, collisions: ["vote", "mcp__x"] },
    });
  });
});

describe("the official client", () => {
  it("reads replies, streams, tool calls and errors", async () => {
    const served = await serving(twoAgents());
    const openai = client(served);
    const whole = await openai.chat.completions.create({ model: "massgen", messages: [{ role: "user", content: "Which?" }] });
    expect(whole.choices[0]?.message.content).toBe("ARC it is.");
    const stream = openai.chat.completions.stream({ model: "massgen", messages: [{ role: "user", content: "Which?" }] });
    expect((await stream.finalChatCompletion()).choices[0]?.message.content?.length).toBeGreaterThan(0);
    await expect(openai.chat.completions.create({ model: "massgen", messages: [] })).rejects.toMatchObject({
      status: 400,
      param: "messages",
    });
    expect((await openai.models.list()).data.map(({ id }) => id)).toContain("massgen");
  });

  it("asks twice at once and gets two answers of two runs", async () => {
    const served = await serving(says("hi"), ["solo"]);
    const openai = client(served);
    const ask = () => openai.chat.completions.create({ model: "massgen", messages: [{ role: "user", content: "Hello?" }] });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one.id).not.toBe(other.id);
    const logs = [one, other].map((reply) => (reply as Reply).massgen_metadata.log_directory);
    expect(new Set(logs).size).toBe(2);
  });
});

describe("a client that hangs up", () => {
  it.each([true, false])("SV-02: ends every request to a vendor, streamed: %s, and the run is on record as interrupted", async (stream) => {
    let onStalled = (): void => {};
    const stalled = new Promise<void>((resolve) => {
      onStalled = resolve;
    });
    const served = await serving(() => {
      onStalled();
      return { kind: "mute" };
    }, ["ada", "bob"]);
    const hangUp = new AbortController();
    const response = post(served.url, { ...hello, stream }, { signal: hangUp.signal }).then((reply) => reply.text());
    await stalled;
    hangUp.abort();
    await expect(response).rejects.toThrow();
    const { body } = await waitFor(async () => {
      const health = await fetch(`${served.url}/metrics`);
      const text = await health.text();
      return /massgen_runs_total\{status="cancelled"\} 1/.test(text) ? { body: text } : null;
    });
    expect(body).toContain("massgen_runs_active 0");
    expect(served.simulator.requests.every(({ clientLeft }) => clientLeft)).toBe(true);
  });
});

describe("limits", () => {
  it("refuse a run more than there are seats, with the time to come back", async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const served = await serving(() => held.then(() => ({ kind: "message", text: "hi" })), ["solo"], { maxConcurrent: 1 });
    const first = post(served.url, hello);
    await waitFor(async () => (served.simulator.requests.length > 0 ? true : null));
    const second = await post(served.url, hello);
    expect(second.status).toBe(429);
    expect(second.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await fetch(`${served.url}/ready`)).status).toBe(503);
    letGo();
    expect((await first).status).toBe(200);
  });

  it("count the requests of each key", async () => {
    const keys = keyRing(["a", "b"].map((name) => ({ name, hash: hashKey(`${name}-key`) })));
    const served = await serving(says("hi"), ["solo"], { keys, requestsPerMinute: 1 });
    const asks = (key: string) => fetch(`${served.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect((await asks("a-key")).status).toBe(200);
    const refused = await asks("a-key");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { type: "rate_limit_error", code: "rate_limit_exceeded" } });
    expect((await asks("b-key")).status).toBe(200);
  });

  it("when all agents fail: 502 with the vendor's words, and clients are told not to repeat it", async () => {
    const served = await serving(() => ({ kind: "failure", status: 400 }), ["ada", "bob"]);
    const response = await post(served.url, hello);
    expect(response.status).toBe(502);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await response.json()).toMatchObject({ error: { code: "agents_failed" } });
    const frames = await events(await post(served.url, { ...hello, stream: true }));
    expect(JSON.parse(frames.at(-2) ?? "")).toMatchObject({ error: { code: "agents_failed" } });
    expect(frames.at(-1)).toBe("[DONE]");
  });
});

describe("a team that cannot begin", () => {
  it("is refused in words that name what is missing and no folder, in every way it can be asked", async () => {
    const agents = [{ id: "ada", backend: { type: "openai", model: "gpt-5-mini" } }];
    const served = await serving(says("hi"), ["solo"]);
    await writeFile(join(served.folder, "keyless.yaml"), JSON.stringify({ agents }));
    const model = "massgen/path:keyless.yaml";
    const ask = (path: string, body: object): Promise<Response> =>
      fetch(served.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...body, model }),
      });
    for (const response of [
      await ask("/v1/chat/completions", hello),
      await ask("/v1/chat/completions", { ...hello, stream: true }),
      await ask("/v1/responses", { input: "Hello?" }),
      await ask("/v1/responses", { input: "Hello?", stream: true }),
      await ask("/api/runs", { question: "Hello?" }),
    ]) {
      expect(response.status, response.url).toBe(400);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect(error.code).toBe("missing_api_key");
      expect(error.message).toMatch(/"ada".*OPENAI_API_KEY/);
    }
  });

  it("is refused without the folders of the server", async () => {
    const served = await serving(says("hi"), ["solo"]);
    const backend = { type: "chatcompletion", model: "m", base_url: served.simulator.baseUrl("chat_completions"), cwd: "room" };
    const context_paths = [{ path: join(served.folder, "gone"), permission: "read" }];
    await writeFile(
      join(served.folder, "gone.yaml"),
      JSON.stringify({ agents: [{ id: "ada", backend }], orchestrator: { context_paths } }),
    );
    const response = await post(served.url, { ...hello, model: "massgen/path:gone.yaml" });
    const text = await response.text();
    expect(response.status, text).toBe(400);
    expect(text).toContain("gone");
    expect(text).not.toContain(served.folder);
  });

  it("by a fault of ours says no more than that; what it was is in the log of the server", async () => {
    const served = await serving(says("hi"), ["solo"]);
    const broken = 'export const createBackend = () => ({ get specVersion() { throw new Error("the fuse blew"); } });';
    await writeFile(join(served.folder, "broken.mjs"), broken);
    await writeFile(join(served.folder, "broken.yaml"), JSON.stringify({ agents: [{ id: "ada", backend: { type: "./broken.mjs" } }] }));
    for (const [times, [path, asked]] of Object.entries({
      "/api/runs": { question: "Hello?" },
      "/v1/chat/completions": hello,
    }).entries()) {
      const response = await fetch(served.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...asked, model: "massgen/path:broken.yaml" }),
      });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("fuse");
      expect(served.logLines.filter((line) => line.includes("the fuse blew"))).toHaveLength(times + 1);
    }
  });
});

async function waitFor<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
