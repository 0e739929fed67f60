import type { JsonValue } from "@massgen/contracts";
import { openReplay, type Reply } from "@massgen/testing/node";
import { describeBackend, type ReplyKind, suiteReplies } from "@massgen/testing/suites";
import { createParrot } from "../src/index.js";

const { text, call, secondCall, usage } = suiteReplies;
const half = text.slice(0, text.length / 2);

// TODO: the words of the vendor. A real answer of it is worth more than a written one: keep recordings, and play them with `recording`.
const event = (value: JsonValue): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: JsonValue, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const counted = event({ choices: [], usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } });
const calls = (...called: readonly (readonly [tool: string, json: string])[]): string =>
  called
    .map(([name, json], index) => delta({ tool_calls: [{ index, id: `call_${index}`, function: { name, arguments: json } }] }))
    .join("");
const whole = ({ tool, input }: typeof call) => [tool, JSON.stringify(input)] as const;
const done = (...pieces: readonly string[]): Reply => ({ text: `${pieces.join("")}data: [DONE]\n\n` });
const spoken = delta({ content: half }) + delta({ content: text.slice(half.length) });
const failing = (status: number, code: string, message: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { error: { message, code } },
});

const replies: Readonly<Record<ReplyKind, Reply>> = {
  text: done(spoken, delta({}, "stop"), counted),
  text_without_usage: done(spoken, delta({}, "stop")),
  tool_call: done(calls(whole(call)), delta({}, "tool_calls"), counted),
  two_tool_calls: done(calls(whole(call), whole(secondCall)), delta({}, "tool_calls"), counted),
  broken_arguments: done(calls([call.tool, suiteReplies.brokenArguments]), delta({}, "tool_calls")),
  length: done(spoken, delta({}, "length"), counted),
  refusal: done(delta({ refusal: suiteReplies.refusal }), delta({}, "stop")),
  server_error: failing(500, "server_error", "The server had an error."),
  rate_limited: failing(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": String(suiteReplies.retryAfterMs / 1000) }),
  unauthorized: failing(401, "invalid_api_key", "Incorrect API key."),
  context_overflow: failing(400, "context_length_exceeded", "The maximum context length is 8192 tokens."),
  cut: { text: delta({ content: half }), end: "reset" },
  stall: { text: delta({ content: half }), end: "hang" },
  silence: { never: true },
  garbage: { text: "<html><title>Welcome</title></html>", headers: { "content-type": "text/html" } },
};

const vendorRules = {
  recordings: new URL("./recordings/", import.meta.url),
  basePath: "/v1",
  brokenRules: ({ messages }: { readonly messages?: unknown }) => (Array.isArray(messages) ? [] : ["messages is no list"]),
  refusal: (message: string) => ({ error: { message } }),
};

describeBackend("parrot", async (ambient) => {
  const vendor = await openReplay(vendorRules, []);
  return {
    backend: createParrot({ model: "replay-model", apiKey: "replay-key-1234", baseUrl: vendor.url, ambient }),
    replyWith: (...kinds) => vendor.script(...kinds.map((kind) => replies[kind])) as undefined,
    requestCount: () => vendor.requests.length,
    close: () => vendor.close(),
  };
});
