import { describe, expect, it } from "vitest";
import { createChatCompletions } from "../src/index.js";
import type { Reply } from "./replay-server.js";
import { collect, ended, failed, KEY, openBench, turnRequest } from "./turns.js";

const limited = (headers: Record<string, string>): Reply => ({
  status: 429,
  headers,
  json: { error: { message: "Rate limit reached for requests", type: "requests", param: null, code: "rate_limit_exceeded" } },
});
const whole: Reply = { recording: "whole-answer.sse" };

describe("429 in all its forms (NW-01)", () => {
  it.each([
    ["seconds", { "retry-after": "2" }, 2000, 2000],
    ["milliseconds, which win over seconds", { "retry-after-ms": "1500", "retry-after": "60" }, 1500, 1500],
    ["nonsense, after an ordinary pause", { "retry-after": "soon" }, 500, 1000],
    ["nothing, after an ordinary pause", {}, 500, 1000],
  ])("waits as asked: %s", async (_, headers, least, most) => {
    const { turn, server, ambient } = await openBench([limited(headers), whole]);
    const result = await turn();
    expect(result.text).toBe("Second try, complete.");
    expect(result.retries).toMatchObject([{ attempt: 1, message: expect.stringContaining("limits the rate") }]);
    expect(result.retries[0]!.waitMs).toBeGreaterThanOrEqual(least);
    expect(result.retries[0]!.waitMs).toBeLessThanOrEqual(most);
    expect(ambient.clock.monotonic()).toBeGreaterThanOrEqual(least);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ["a date ahead: not before it", 3, 3000, 4000],
    ["a date that has passed: at once", -60, 0, 0],
  ])("waits for %s", async (_, aheadS, least, most) => {
    const date = Date.UTC(2026, 0, 1);
    const headers = { date: new Date(date).toUTCString(), "retry-after": new Date(date + aheadS * 1000).toUTCString() };
    const { turn } = await openBench([limited(headers), whole]);
    const result = await turn();
    expect(result.retries[0]!.waitMs).toBeGreaterThanOrEqual(least);
    expect(result.retries[0]!.waitMs).toBeLessThanOrEqual(most);
    expect(result.text).toBe("Second try, complete.");
  });

  it("two hours are beyond the limit: one request, and a failure that tells the time", async () => {
    const { turn, server } = await openBench([limited({ "retry-after": "7200" })]);
    const { failure } = failed(await turn());
    expect(failure).toMatchObject({ kind: "backend_fatal", status: 429, retryAfterMs: 7_200_000 });
    expect(failure.message).toContain("It asks to wait 2 h (until 2026-01-01 02:00:00 UTC); the longest wait is 2 min.");
    expect(server.requests).toHaveLength(1);
  });

  it("an account without quota is asked once", async () => {
    const json = {
      error: {
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
        param: null,
        code: "insufficient_quota",
      },
    };
    const { turn, server } = await openBench([{ status: 429, json }]);
    const { failure } = failed(await turn());
    expect(failure.kind).toBe("backend_fatal");
    expect(failure.message).toContain("no quota left");
    expect(failure.message).toContain("You exceeded your current quota");
    expect(server.requests).toHaveLength(1);
  });

  it("the pause can be interrupted", async () => {
    const { backend, server } = await openBench([limited({ "retry-after": "60" })]);
    const stop = new AbortController();
    const result = await collect(backend.stream(turnRequest(), stop.signal), (event) => event.type === "turn_retried" && stop.abort());
    expect(failed(result).failure.kind).toBe("backend_transient");
    expect(server.requests).toHaveLength(1);
  });

  it("the vendor's own word on retrying decides", async () => {
    const yes = await openBench([{ status: 400, headers: { "x-should-retry": "true" }, json: {} }, whole]);
    expect((await yes.turn()).text).toBe("Second try, complete.");
    const no = await openBench([{ status: 503, headers: { "x-should-retry": "false" }, json: {} }, whole]);
    expect(failed(await no.turn()).failure.kind).toBe("backend_fatal");
    expect(no.server.requests).toHaveLength(1);
  });

  it("a server that stays broken is asked four times, with pauses that grow", async () => {
    const { turn, server } = await openBench([{ status: 500, json: { error: { message: "boom" } } }]);
    const result = await turn();
    expect(failed(result).failure).toMatchObject({ kind: "backend_transient", status: 500 });
    expect(server.requests).toHaveLength(4);
    const waits = result.retries.map(({ waitMs }) => waitMs);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });
});

describe("a vendor that goes silent (NW-02)", () => {
  it.each([
    ["after one chunk", { recording: "one-chunk-then-silence.sse", end: "hang" }, 3],
    ["before the status line", { never: true }, 3],
    ["with comments only", { recording: "comments-only.sse", end: "hang" }, 3],
    ["with empty chunks only", { text: 'data: {"choices":[{"index":0,"delta":{"content":""}}]}\n\n'.repeat(50), end: "hang" }, 3],
  ] as const)("%s: each attempt ends at the limit, and so does the turn", async (_, reply, requests) => {
    const { backend, server, ambient } = await openBench([reply], { timeoutMs: 20_000 });
    let over = false;
    const turn = collect(backend.stream(turnRequest(), new AbortController().signal)).finally(() => {
      over = true;
    });
    // Time passes only while the request has arrived and nothing else happens.
    while (!over) {
      await ambient.clock.settle();
      const sleeper = ambient.clock.sleepers()[0];
      if (sleeper !== undefined && server.requests.length > 0) await ambient.clock.advance(1000);
    }
    const result = await turn;
    expect(failed(result).failure.kind).toBe("backend_transient");
    expect(failed(result).failure.message).toBe("ChatCompletion (replay-model) has sent nothing for 20 s.");
    expect(server.requests).toHaveLength(requests);
    await server.clientLeft;
  });

  it("slow but alive is not cut off, however long it takes in all", async () => {
    const { result, ambient, server } = await playSlowly({ recording: "slow-but-alive.sse", cutEvery: 40 }, 1000);
    expect(ended(result).reason).toBe("stop");
    expect(result.text).toBe("Slow but sure and never silent ");
    expect(server.requests).toHaveLength(1);
    expect(ambient.clock.monotonic()).toBeGreaterThan(25_000);
  });

  it.each([
    ["comments", ": waiting\n\n"],
    ["empty chunks", 'data: {"choices":[{"index":0,"delta":{"content":""}}]}\n\n'],
    ["unknown events", "event: ping\ndata: {}\n\n"],
  ])("%s every three seconds are silence all the same", async (_, beat) => {
    const { result, server } = await playSlowly({ text: beat.repeat(100), cutEvery: beat.length, end: "hang" }, 3000);
    expect(failed(result).failure.message).toContain("has sent nothing for 20 s");
    expect(server.requests).toHaveLength(3);
  });

  /** Lets time pass between the pieces of a reply, once what was sent has been read. */
  async function playSlowly(reply: Reply, pauseMs: number) {
    const bench = await openBench([], { timeoutMs: 20_000 });
    bench.server.script({ ...reply, between: () => bench.ambient.clock.advance(pauseMs) });
    return { ...bench, result: await bench.turn() };
  }

  it("a response that said its last word but keeps the line open is over after five seconds", async () => {
    const { backend, ambient } = await openBench([{ recording: "finish-without-done.sse", end: "hang" }]);
    const result = await collect(backend.stream(turnRequest(), new AbortController().signal), (event) => {
      if (event.type === "text_delta") void ambient.clock.settle().then(() => ambient.clock.advance(5000));
    });
    expect(ended(result).reason).toBe("stop");
  });
});

describe("the many ways to write base_url (NW-03)", () => {
  it.each([
    ["/v1", "/v1/chat/completions"],
    ["/v1/", "/v1/chat/completions"],
    ["/v1//", "/v1/chat/completions"],
    ["/v1/chat/completions", "/v1/chat/completions"],
    ["/v1/chat/completions/", "/v1/chat/completions"],
    ["/v1\n", "/v1/chat/completions"],
    ["/api/paas/v4", "/api/paas/v4/chat/completions"],
    ["/v1?api-version=2024-10-21", "/v1/chat/completions?api-version=2024-10-21"],
    ["/openai", "/openai/chat/completions"],
    ["", "/v1/chat/completions"],
  ])("%j behind the host reaches %s", async (written, path) => {
    for (const id of ["chatcompletion", "vllm", "lmstudio"]) {
      const { turn, server } = await openBench([whole]);
      const backend = createChatCompletions({ id, model: "replay-model", apiKey: KEY, baseUrl: `  ${server.origin}${written}` });
      await collect(backend.stream(turnRequest(), new AbortController().signal));
      expect(server.requests.map(({ url }) => url)).toEqual([path]);
      expect(turn).toBeDefined();
    }
  });

  it.each([
    ["127.0.0.1:9911/v1", 'base_url "127.0.0.1:9911/v1" needs http:// or https:// in front.'],
    ["", "base_url is empty."],
    ["   ", "base_url is empty."],
    ["http://", 'base_url "http://" is no address.'],
  ])("%j is refused at once", (baseUrl, message) => {
    expect(() => createChatCompletions({ model: "m", baseUrl })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", exitCode: 1, message }),
    );
  });

  it("user and password in the address are used where there is no key, and shown nowhere", async () => {
    const { server } = await openBench([{ status: 500, text: "no hunter2 here" }]);
    const baseUrl = server.url.replace("http://", "http://user:hunter2@");
    const backend = createChatCompletions({ model: "replay-model", baseUrl, maxRetries: 0 });
    const result = await collect(backend.stream(turnRequest(), new AbortController().signal));
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${btoa("user:hunter2")}`);
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(failed(result).failure.message).toContain(`${server.url}/chat/completions`);
  });

  it("a page in place of an answer is a failure with address and content type, and is asked for once", async () => {
    const { turn, server } = await openBench([{ recording: "web-page.html" }]);
    const { failure } = failed(await turn());
    expect(failure.kind).toBe("backend_fatal");
    expect(failure.message).toContain(`${server.url}/chat/completions with text/html; charset=utf-8 (status 200)`);
    expect(failure.message).toContain("Model console");
    expect(server.requests).toHaveLength(1);
  });

  it("a 404 proposes the version that is missing", async () => {
    const { server } = await openBench([{ status: 404, json: { detail: "Not Found" } }]);
    const backend = createChatCompletions({ model: "m", apiKey: KEY, baseUrl: `${server.origin}/openai` });
    const result = await collect(backend.stream(turnRequest(), new AbortController().signal));
    expect(failed(result).failure.message).toBe(
      `ChatCompletion has nothing at this address (status 404, model m, at ${server.origin}/openai/chat/completions): "Not Found". Should base_url end in /v1?`,
    );
  });
});

describe("a server that is not there", () => {
  it("is named with its address", async () => {
    const { server, ambient } = await openBench([whole]);
    await server.close();
    const backend = createChatCompletions({ id: "groq", model: "qwen3", apiKey: KEY, baseUrl: server.url, maxRetries: 0, ambient });
    const { failure } = failed(await collect(backend.stream(turnRequest(), new AbortController().signal)));
    expect(failure).toMatchObject({ kind: "backend_transient", status: null });
    expect(failure.message).toContain("ECONNREFUSED");
    expect(failure.message).toContain(server.url);
  });
});

describe("a key in the vendor's mouth", () => {
  it("is not repeated, whole or masked", async () => {
    const json = { error: { message: `Incorrect API key provided: ${KEY}, also seen as sk-proj-********abcd.`, code: "invalid_api_key" } };
    const { turn, server } = await openBench([{ status: 401, headers: { "x-request-id": "req_42" }, json }], { keyName: "OPENAI_API_KEY" });
    const { failure } = failed(await turn());
    expect(failure.kind).toBe("backend_fatal");
    expect(failure.message).toBe(
      `ChatCompletion does not accept the API key (status 401, code invalid_api_key, request req_42, model replay-model, at ${server.url}/chat/completions): ` +
        `"Incorrect API key provided: [REDACTED], also seen as [REDACTED]." Check OPENAI_API_KEY.`,
    );
    expect(server.requests).toHaveLength(1);
  });
});
