import type { JsonValue } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import type { Reply } from "./replay-server.js";
import { ended, failed, KEY, openBench } from "./turns.js";

const fine: Reply = { recording: "whole-answer.sse" };
const failing = (code: number, status: string, message: string, details: readonly JsonValue[] = []): Reply => ({
  status: code,
  json: { error: { code, message, status, details } },
});
const retryIn = (retryDelay: string): JsonValue => ({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay });
const quota = (quotaId: string): JsonValue => ({ "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] });

describe("waiting (NW-01)", () => {
  it.each([
    [
      "the delay Google writes into the body",
      failing(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", [quota("GenerateRequestsPerMinutePerProject"), retryIn("37.4s")]),
      37_400,
    ],
    ["a header of a gateway", { ...failing(429, "RESOURCE_EXHAUSTED", "Busy."), headers: { "retry-after": "3" } }, 3000],
  ] as const)("%s is kept to the millisecond", async (_, reply, waitMs) => {
    const { turn } = await openBench([reply, fine]);
    const result = await turn();
    expect(result.retries).toMatchObject([{ attempt: 1, waitMs }]);
    expect(result.text).toBe("The lamp is on the desk.");
  });

  it("without a word from Google the pauses are 2, 6 and 18 s, a fifth of it left to chance", async () => {
    const { turn, server } = await openBench([failing(503, "UNAVAILABLE", "The model is overloaded.")]);
    const result = await turn();
    for (const [index, fullMs] of [2000, 6000, 18_000].entries()) {
      expect(result.retries[index]?.waitMs).toBeGreaterThanOrEqual(0.8 * fullMs);
      expect(result.retries[index]?.waitMs).toBeLessThanOrEqual(fullMs);
    }
    expect(failed(result).failure).toMatchObject({
      kind: "backend_transient",
      status: 503,
      message: expect.stringContaining("is overloaded"),
    });
    expect(server.requests).toHaveLength(4);
  });

  it("the pauses are the user's: gemini_backoff_*", async () => {
    const params = {
      gemini_backoff_max_attempts: 3,
      gemini_backoff_initial_delay: 1,
      gemini_backoff_multiplier: 5,
      gemini_backoff_max_delay: 4,
      gemini_backoff_jitter: 0,
    };
    const { turn, server } = await openBench([failing(500, "INTERNAL", "Oops.")], { params });
    expect((await turn()).retries.map(({ waitMs }) => waitMs)).toEqual([1000, 4000]);
    expect(server.requests).toHaveLength(3);
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("backoff");
  });

  it("a limit of the day is final, whatever seconds Google names", async () => {
    const { turn, server } = await openBench([
      failing(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", [
        quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
        retryIn("9s"),
      ]),
    ]);
    const { failure } = failed(await turn());
    expect(failure).toMatchObject({ kind: "backend_fatal", status: 429, retryAfterMs: null });
    expect(failure.message).toContain("GenerateRequestsPerDayPerProjectPerModel-FreeTier counts by the day");
    expect(server.requests).toHaveLength(1);
  });

  it("two hours are beyond the limit: a failure that tells the time", async () => {
    const { turn } = await openBench([failing(429, "RESOURCE_EXHAUSTED", "Slow down.", [retryIn("7200s")])]);
    expect(failed(await turn()).failure).toMatchObject({
      kind: "backend_fatal",
      retryAfterMs: 7_200_000,
      message: expect.stringContaining("2 h"),
    });
  });

  it("an error inside a stream may ask to wait too", async () => {
    const error = { error: { code: 429, message: "Quota exceeded.", status: "RESOURCE_EXHAUSTED", details: [retryIn("5s")] } };
    const { turn } = await openBench([{ text: `data: ${JSON.stringify(error)}\n\n` }, fine]);
    expect((await turn()).retries).toMatchObject([{ waitMs: 5000 }]);
  });
});

describe("failures", () => {
  it.each([
    [failing(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), "backend_fatal", "does not accept the API key"],
    [failing(403, "PERMISSION_DENIED", "Denied."), "backend_fatal", "denies access"],
    [
      failing(404, "NOT_FOUND", "models/replay-model is not found for API version v1beta."),
      "backend_fatal",
      'does not know the model "replay-model"',
    ],
    [failing(400, "INVALID_ARGUMENT", "tools[0] is wrong"), "backend_fatal", "refuses the request"],
    [
      failing(400, "INVALID_ARGUMENT", "The input token count (2) exceeds the maximum number of tokens allowed (1)."),
      "context_overflow",
      "too long",
    ],
    [failing(500, "INTERNAL", "The context window is too small."), "context_overflow", "too long"],
    [{ text: "<title>Portal</title>", headers: { "content-type": "text/html" } }, "backend_fatal", '"Portal"'],
    [{ json: { hello: "world" } }, "backend_fatal", "not with an answer of the model"],
  ] as const)("%j is %s, once, and says: %s", async (reply, kind, words) => {
    const { turn, server } = await openBench([reply], { keyName: "GOOGLE_API_KEY" });
    const { failure } = failed(await turn());
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(words);
    expect(failure.message).toContain(`${server.origin}/v1beta/models/replay-model:streamGenerateContent`);
    expect(server.requests).toHaveLength(1);
  });

  it("SE-03: no key in a message, also when Google repeats it", async () => {
    const { turn } = await openBench([failing(400, "INVALID_ARGUMENT", `API key not valid: ${KEY}`)], { keyName: "GOOGLE_API_KEY" });
    const { message } = failed(await turn()).failure;
    expect(message).not.toContain(KEY);
    expect(message).toContain("Check GOOGLE_API_KEY.");
  });

  it("a connection that is refused is tried again, then told with its address", async () => {
    const { turn, server } = await openBench([]);
    await server.close();
    expect(failed(await turn()).failure).toMatchObject({ kind: "backend_transient", message: expect.stringContaining(server.origin) });
  });

  it("an abort in mid-stream closes the connection", async () => {
    const part = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: "To begin" }] } }] })}\n\n`;
    const { turn, server } = await openBench([{ text: part, end: "hang" }]);
    const stop = new AbortController();
    const result = await turn({}, stop.signal, (event) => event.type === "text_delta" && stop.abort());
    expect(failed(result)).toMatchObject({ partial: "To begin", failure: { kind: "backend_transient" } });
    await server.clientLeft;
  });
});

describe("what a model teaches", () => {
  it("that it does not think: asked again without, and not again with it", async () => {
    const { turn, server } = await openBench([failing(400, "INVALID_ARGUMENT", "Thinking is not enabled for this model."), fine], {
      model: "gemini-2.5-flash",
    });
    const result = await turn();
    expect(result.retries).toMatchObject([{ waitMs: 0, message: expect.stringContaining("no thinkingConfig") }]);
    await turn();
    expect(server.requests.map(({ body }) => body.generationConfig?.thinkingConfig)).toEqual([
      { includeThoughts: true },
      undefined,
      undefined,
    ]);
  });

  it("that it takes no system instruction: it stands in the first message", async () => {
    const { turn, server } = await openBench([
      failing(400, "INVALID_ARGUMENT", "Developer instruction is not enabled for models/gemma-3"),
      fine,
    ]);
    expect(ended(await turn()).reason).toBe("stop");
    expect(server.requests[1]?.body).not.toHaveProperty("systemInstruction");
    expect(server.requests[1]?.body.contents[0]).toEqual({ role: "user", parts: [{ text: "You have a desk." }] });
  });

  it("nothing, when it repeats itself: the second refusal is final", async () => {
    const { turn, server } = await openBench([failing(400, "INVALID_ARGUMENT", "Thinking is not enabled for this model.")], {
      model: "gemini-2.5-flash",
    });
    expect(failed(await turn()).failure.kind).toBe("backend_fatal");
    expect(server.requests).toHaveLength(2);
  });
});
