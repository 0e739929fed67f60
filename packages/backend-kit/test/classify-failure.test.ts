import { describe, expect, it } from "vitest";
import { type Asked, classifyNetworkError, classifyReply, classifyStreamError, classifyUnexpectedBody, redact } from "../src/index.js";
import { readVendorError } from "../src/vendor-error.js";

const asked: Asked = { vendor: "Groq", model: "llama", url: "https://api.groq.com/openai/v1/chat/completions", secrets: ["gsk-my-secret"] };
const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  classifyReply(asked, { status, headers: new Headers(headers), body: typeof body === "string" ? body : JSON.stringify(body) }, 0);
const error = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

describe("a reply that is no success", () => {
  it.each([
    [401, error("bad key", { code: "invalid_api_key" }), "backend_fatal", "never", "does not accept the API key"],
    [403, error("no"), "backend_fatal", "never", "denies access"],
    [402, error("Payment required"), "backend_fatal", "never", "no quota left"],
    [429, error("slow down", { code: "rate_limit_exceeded" }), "backend_transient", "backoff", "limits the rate"],
    [429, error("You exceeded your current quota", { type: "insufficient_quota" }), "backend_fatal", "never", "no quota left"],
    [429, error("Insufficient balance"), "backend_fatal", "never", "no quota left"],
    [429, error("Limit reached on requests per day (RPD)"), "backend_fatal", "never", "no quota left"],
    [
      404,
      error("The model `llama` does not exist", { code: "model_not_found" }),
      "backend_fatal",
      "never",
      'does not know the model "llama"',
    ],
    [400, error("Model Not Exist"), "backend_fatal", "never", "does not know the model"],
    [404, { detail: "Not Found" }, "backend_fatal", "never", "has nothing at this address"],
    [
      400,
      error("This model's maximum context length is 8192 tokens", { code: "context_length_exceeded" }),
      "context_overflow",
      "never",
      "too long",
    ],
    [400, error("prompt is too long: 210000 tokens > 200000 maximum"), "context_overflow", "never", "too long"],
    [500, error("the input exceeds the available context size"), "context_overflow", "never", "too long"],
    [
      400,
      error("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", { status: "INVALID_ARGUMENT" }),
      "context_overflow",
      "never",
      "too long",
    ],
    [400, error("API key not valid. Please pass a valid API key."), "backend_fatal", "never", "does not accept the API key"],
    [404, error("models/llama is not found for API version v1beta"), "backend_fatal", "never", 'does not know the model "llama"'],
    [413, "Request Entity Too Large", "context_overflow", "never", "too long"],
    [400, error("The response was filtered", { code: "content_filter" }), "backend_fatal", "never", "content filter"],
    [400, error("tools[0] is wrong"), "backend_fatal", "never", "refuses the request"],
    [422, { detail: [{ msg: "field required" }] }, "backend_fatal", "never", "field required"],
    [500, error("boom"), "backend_transient", "backoff", "failed to answer"],
    [502, "<html><head><title>502 Bad Gateway</title></head></html>", "backend_transient", "backoff", '"502 Bad Gateway"'],
    [503, error("loading"), "backend_transient", "backoff", "is overloaded"],
    [529, error("Overloaded"), "backend_transient", "backoff", "is overloaded"],
    [408, "", "backend_transient", "backoff", "failed to answer"],
    [409, "", "backend_transient", "backoff", "failed to answer"],
  ])("%i %j is %s, retry %s, and says: %s", (status, body, kind, retry, words) => {
    const failure = reply(status, body);
    expect(failure).toMatchObject({ kind, retry, status });
    expect(failure.message).toContain(words);
  });

  it("a daily limit that ends soon is a limit to wait for", () => {
    expect(reply(429, error("tokens per day"), { "retry-after": "30" })).toMatchObject({ retry: "backoff", retryAfterMs: 30_000 });
  });

  it("tells vendor, model, status, code, request, address and what the vendor said, on one line", () => {
    expect(reply(400, error("line one\n\u001b[31mline two", { code: "bad_thing" }), { "x-request-id": "req_7" }).message).toBe(
      'Groq refuses the request to "llama" (status 400, code bad_thing, request req_7, model llama, at https://api.groq.com/openai/v1/chat/completions): "line one [31mline two".',
    );
  });

  it("quotes 300 characters at most, and redacts before it cuts", () => {
    const { message } = reply(400, error(`${"x".repeat(295)} gsk-my-secret and more`));
    expect(message).toContain(`${"x".repeat(295)} [RED…`);
    expect(message).not.toContain("gsk-");
  });
});

describe("an error inside a response", () => {
  it.each([
    [error("upstream lost", { code: 502 }), 502, "backend_transient"],
    [error("too fast", { type: "rate_limit_error" }), 429, "backend_transient"],
    [error("Overloaded", { type: "overloaded_error" }), 503, "backend_transient"],
    [error("bad", { type: "invalid_request_error" }), 400, "backend_fatal"],
    [error("no key", { type: "authentication_error" }), 401, "backend_fatal"],
    [error("context length", { code: 400 }), 400, "context_overflow"],
    [error("strange"), 500, "backend_transient"],
    ["model is loading", 500, "backend_transient"],
  ])("%j stands for %i", (value, status, kind) => {
    expect(classifyStreamError(asked, value)).toMatchObject({ status, kind });
  });

  it("names the request it happened in, when that is known", () => {
    const failure = classifyStreamError(asked, { error: { message: "lost", type: "server_error" } }, "req_7");
    expect(failure.message).toContain("(status 500, request req_7, model llama,");
  });
});

describe("no reply at all", () => {
  it("names the innermost cause and the address", () => {
    const failure = classifyNetworkError(
      asked,
      new TypeError("fetch failed", { cause: Object.assign(new Error("getaddrinfo ENOTFOUND api.groq.com"), { code: "ENOTFOUND" }) }),
    );
    expect(failure).toMatchObject({ kind: "backend_transient", retry: "backoff", status: null });
    expect(failure.message).toBe(
      "The connection to Groq failed at https://api.groq.com/openai/v1/chat/completions: getaddrinfo ENOTFOUND api.groq.com.",
    );
  });

  it("falls back to the code of an error without words", () => {
    expect(classifyNetworkError(asked, Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })).message).toContain(
      ": ECONNREFUSED.",
    );
  });
});

it("a page in place of an answer names address, content type and title", () => {
  const failure = classifyUnexpectedBody(asked, 200, "text/html", "<html><title>Sign in</title></html>");
  expect(failure).toMatchObject({ kind: "backend_fatal", retry: "never" });
  expect(failure.message).toContain(
    'at https://api.groq.com/openai/v1/chat/completions with text/html (status 200) and not with an answer of the model: "Sign in".',
  );
});

describe("readVendorError", () => {
  it.each([
    [{ error: { message: "m", type: "t", code: "c", param: "p" } }, { message: "m", type: "t", code: "c", param: "p" }],
    [{ error: "m" }, { message: "m" }],
    [[{ error: { code: 400, message: "m", status: "INVALID_ARGUMENT" } }], { message: "m", code: "400", type: "INVALID_ARGUMENT" }],
    [
      { object: "error", message: "m", code: 404 },
      { message: "m", code: "404" },
    ],
    [{ errors: [{ message: "m" }] }, { message: "m" }],
    [{ detail: "m" }, { message: "m" }],
    [
      { error: { message: "Provider returned error", metadata: { raw: "upstream says no" } } },
      { message: "Provider returned error: upstream says no" },
    ],
    [{ choices: [] }, null],
    [null, null],
    [7, null],
  ])("%j", (value, expected) => {
    const found = readVendorError(value);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject(expected);
  });
});

describe("redact", () => {
  it.each([
    ["my own-secret-1 here", "my [REDACTED] here"],
    ["sk-proj-abc123DEF456", "[REDACTED]"],
    ["sk-ant-api03-AAAAAAAAAA", "[REDACTED]"],
    ["AIzaSyA1234567890abcdef", "[REDACTED]"],
    ["gsk_abcdefgh12345678", "[REDACTED]"],
    ["Authorization: Bearer abcdefgh.12345678", "Authorization: Bearer [REDACTED]"],
    ["https://x/y?key=topsecret&a=1", "https://x/y?key=[REDACTED]&a=1"],
    ["eyJhbGciOiJI.eyJzdWIiOiIx.abc", "[REDACTED]"],
    ["a task-force of desk-lamps", "a task-force of desk-lamps"],
    ["key-value-stores are fine", "key-value-stores are fine"],
  ])("%s", (text, expected) => expect(redact(text, ["own-secret-1", "a", ""])).toBe(expected));
});
