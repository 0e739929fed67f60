import { testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { type AnthropicOptions, createAnthropic } from "../src/index.js";
import type { Reply } from "./replay-server.js";
import { begin, event } from "./stream-text.js";
import { collect, ended, failed, KEY, openBench, turnRequest } from "./turns.js";

const whole: Reply = { recording: "whole-answer.sse" };
const refusing = (status: number, type: string, message: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { type: "error", error: { type, message }, request_id: "req_body" },
});

/** What one request looks like when it leaves, whatever comes back. */
async function seenBy(options: Partial<AnthropicOptions>, request: Parameters<typeof turnRequest>[0] = {}): Promise<Request> {
  const seen: Request[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    seen.push(new Request(input, init));
    return new Response(null, { status: 401 });
  };
  const backend = createAnthropic({ model: "claude-opus-4-6", apiKey: KEY, ambient: testAmbient({ fetch }), ...options });
  await collect(backend.stream(turnRequest(request), new AbortController().signal));
  return seen[0]!;
}

describe("the request as it leaves", () => {
  it.each<[string | undefined, string]>([
    [undefined, "https://api.anthropic.com/v1/messages"],
    ["http://127.0.0.1:9911", "http://127.0.0.1:9911/v1/messages"],
    ["http://127.0.0.1:9911/", "http://127.0.0.1:9911/v1/messages"],
    ["http://127.0.0.1:9911/v1", "http://127.0.0.1:9911/v1/messages"],
    ["http://127.0.0.1:9911/v1/messages", "http://127.0.0.1:9911/v1/messages"],
    ["http://127.0.0.1:9911/anthropic", "http://127.0.0.1:9911/anthropic/v1/messages"],
    ["http://gate.example/v1/?tenant=7", "http://gate.example/v1/messages?tenant=7"],
  ])("NW-03: base_url %s is asked at %s", async (baseUrl, url) => {
    expect((await seenBy(baseUrl === undefined ? {} : { baseUrl })).url).toBe(url);
  });

  it("carries the key as the vendor's SDK does, and nothing about the machine", async () => {
    const { headers } = await seenBy({});
    expect([...headers.keys()].sort()).toEqual([
      "accept",
      "anthropic-dangerous-direct-browser-access",
      "anthropic-version",
      "authorization",
      "content-type",
      "user-agent",
    ]);
    expect([headers.get("authorization"), headers.get("anthropic-version")]).toEqual([`Bearer ${KEY}`, "2026-10-21"]);
  });

  it("carries it to gateways in both headers they may know", async () => {
    const { headers } = await seenBy({ baseUrl: "https://api.anthropic.com.evil.example" });
    expect([headers.get("authorization"), headers.get("x-api-key")]).toEqual([`Bearer ${KEY}`, KEY]);
  });

  it("without a key carries none, and looks for none on this machine", async () => {
    const { headers } = await seenBy({ apiKey: "", baseUrl: "http://127.0.0.1:1" });
    expect([headers.get("authorization"), headers.get("x-api-key")]).toEqual([null, null]);
    const login = await seenBy({ apiKey: "", baseUrl: "http://user:hunter2@127.0.0.1:1" });
    expect(login.headers.get("authorization")).toBe(`Basic ${btoa("user:hunter2")}`);
  });

  it("speaks the old version of the API only for models that take sampling parameters", async () => {
    const version = async (model: string) => (await seenBy({ model, params: { temperature: 0.2 } })).headers.get("anthropic-version");
    expect([await version("claude-sonnet-4-5"), await version("claude-opus-5-5")]).toEqual(["2023-06-01", "2026-10-21"]);
  });

  it("names betas of the user and of the tools, and headers of the user win", async () => {
    const { headers } = await seenBy({
      params: { betas: ["files-api-2025-04-14"], enable_code_execution: true },
      headers: { "Anthropic-Beta": "mine-1", "X-Team": "blue" },
    });
    expect(headers.get("anthropic-beta")).toBe("code-execution-2025-08-25,files-api-2025-04-14,mine-1");
    expect(headers.get("x-team")).toBe("blue");
  });
});

describe("what the vendor refuses", () => {
  it.each<[string, Reply, string, string]>([
    [
      "a wrong key",
      refusing(401, "authentication_error", `invalid key ${KEY}`),
      "backend_fatal",
      "does not accept the API key (status 401, request req_body",
    ],
    [
      "a model it does not know",
      refusing(404, "not_found_error", "model: claude-x not found"),
      "backend_fatal",
      'does not know the model "replay-model"',
    ],
    ["an empty account", refusing(402, "billing_error", "Out of credits"), "backend_fatal", "no quota left"],
    ["too long a prompt", refusing(400, "invalid_request_error", "prompt is too long: 9 > 8"), "context_overflow", "too long"],
    [
      "a prompt that leaves no room for the answer",
      refusing(400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"),
      "context_overflow",
      "exceed context limit",
    ],
    ["too large a body", refusing(413, "request_too_large", "Request exceeds the maximum size"), "context_overflow", "too long"],
    ["something else", refusing(400, "invalid_request_error", "messages: odd"), "backend_fatal", "refuses the request"],
  ])("%s fails at once, and the message says what and where without the key", async (_, reply, kind, said) => {
    const { turn, server } = await openBench([reply], { keyName: "ANTHROPIC_API_KEY" });
    const { failure } = failed(await turn());
    expect(failure).toMatchObject({ kind });
    expect(failure.message).toContain(said);
    expect(failure.message).toContain(`${server.url}/v1/messages`);
    expect(failure.message).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  it("a limit is waited for as its headers say, also when only the time of its reset is told", async () => {
    const date = Date.UTC(2026, 0, 1);
    const headers = {
      date: new Date(date).toUTCString(),
      "anthropic-ratelimit-requests-remaining": "3",
      "anthropic-ratelimit-requests-reset": new Date(date + 60_000).toISOString(),
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": new Date(date + 7000).toISOString(),
    };
    const { turn } = await openBench([refusing(429, "rate_limit_error", "This would exceed your rate limit", headers), whole]);
    const { retries } = await turn();
    expect(retries[0]!.waitMs).toBeGreaterThanOrEqual(7000);
    expect(retries[0]!.waitMs).toBeLessThanOrEqual(8000);
  });

  it.each([
    ["rate_limit_error", 429, "limits the rate"],
    ["api_error", 500, "failed to answer"],
    ["overloaded_error", 529, "overloaded"],
    ["timeout_error", 504, "failed to answer"],
  ])("%s in mid-stream stands for %i and is tried again", async (type, status, said) => {
    const broken = { text: begin() + event("error", { error: { type, message: "Sorry" } }) };
    const { turn } = await openBench([broken, whole], { maxIncompleteResponseRetries: 1 });
    const result = await turn();
    expect(result.retries).toMatchObject([{ message: expect.stringContaining(said) }]);
    expect(result.retries[0]!.message).toContain(`status ${status}`);
  });

  it("an invalid request in mid-stream is not tried again", async () => {
    const { turn, server } = await openBench([
      { text: begin() + event("error", { error: { type: "invalid_request_error", message: "No" } }) },
    ]);
    expect(failed(await turn()).failure).toMatchObject({ kind: "backend_fatal", status: 400 });
    expect(server.requests).toHaveLength(1);
  });
});

describe("what the vendor teaches", () => {
  it.each<[string, string, Record<string, number | string>]>([
    ["a sampling parameter", "`temperature` and `top_p` cannot both be specified for this model.", { temperature: 0.5, top_p: 0.9 }],
    ["a field of another vendor", "seed: Extra inputs are not permitted", { seed: 7 }],
  ])("%s it refuses is left out at once, and from then on", async (_, message, params) => {
    const { turn, server } = await openBench([refusing(400, "invalid_request_error", message), whole], {
      model: "claude-opus-4-1",
      params,
    });
    const result = await turn();
    expect(result.text).toBe("The harbour opens at seven.");
    expect(result.retries).toMatchObject([{ waitMs: 0, message: expect.stringContaining("Asking again with no ") }]);
    await turn();
    const gone = Object.keys(params).at(-1)!;
    expect(server.requests.map(({ body }) => gone in body)).toEqual([true, false, false]);
  });

  it("thoughts it does not take for its own stay away, and only those", async () => {
    const refusal = refusing(400, "invalid_request_error", "messages.1.content.0: Invalid `signature` in `thinking` block");
    const { turn, server } = await openBench([{ recording: "signed-and-redacted-thinking-with-two-calls.sse" }, refusal, whole]);
    const first = await turn();
    const history = [
      ...turnRequest().messages,
      ended(first).message,
      { role: "tool" as const, results: first.calls.map(({ callId }) => ({ callId, output: { parts: [], isError: false } })) },
    ];
    const second = await turn({ messages: history });
    expect(second.retries).toMatchObject([{ waitMs: 0 }]);
    const types = server.requests.map(({ body }) => body.messages[1]?.content.map(({ type }: { type: string }) => type));
    expect(types[1]).toEqual(["thinking", "redacted_thinking", "text", "tool_use", "tool_use"]);
    expect(types[2]).toEqual(["text", "tool_use", "tool_use"]);
    expect(server.broken).toEqual([]);
  });

  it("a refusal nothing cures is passed on, once", async () => {
    const { turn, server } = await openBench([refusing(400, "invalid_request_error", "thinking is a fine thing")]);
    expect(failed(await turn()).failure.kind).toBe("backend_fatal");
    expect(server.requests).toHaveLength(1);
  });
});

describe("a vendor that goes silent (NW-02)", () => {
  it("pings are no content: the attempt ends at the limit", async () => {
    const ping = event("ping");
    const bench = await openBench([], { timeoutMs: 20_000, maxIncompleteResponseRetries: 0 });
    bench.server.script({ text: ping.repeat(100), cutEvery: ping.length, end: "hang", between: () => bench.ambient.clock.advance(3000) });
    const { failure } = failed(await bench.turn());
    expect(failure.message).toBe("Anthropic (replay-model) has sent nothing for 20 s.");
    await bench.server.clientLeft;
  });
});
