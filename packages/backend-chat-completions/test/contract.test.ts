import type { JsonValue } from "@massgen/contracts";
import { describeBackend, type ReplyKind, suiteReplies } from "@massgen/testing/suites";
import { createChatCompletions } from "../src/index.js";
import { openReplayServer, type Reply } from "./replay-server.js";
import { KEY } from "./turns.js";

const { text, call, secondCall, usage } = suiteReplies;
const half = text.slice(0, text.length / 2);

const event = (value: JsonValue): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: JsonValue, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const counted = event({ choices: [], usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } });
const calls = (...called: readonly { readonly tool: string; readonly text: string }[]): string =>
  called
    .map(({ tool, text: json }, index) =>
      delta({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name: tool, arguments: json } }] }),
    )
    .join("");
const whole = ({ tool, input }: typeof call) => ({ tool, text: JSON.stringify(input) });
const done = (...pieces: readonly string[]): Reply => ({ text: `${pieces.join("")}data: [DONE]\n\n` });
const failing = (status: number, message: string, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { error: { message, code } },
});
const spoken = delta({ content: half }) + delta({ content: text.slice(half.length) });

const replies: Readonly<Record<ReplyKind, Reply>> = {
  text: done(spoken, delta({}, "stop"), counted),
  text_without_usage: done(spoken, delta({}, "stop")),
  tool_call: done(calls(whole(call)), delta({}, "tool_calls"), counted),
  two_tool_calls: done(calls(whole(call), whole(secondCall)), delta({}, "tool_calls"), counted),
  broken_arguments: done(calls({ tool: call.tool, text: suiteReplies.brokenArguments }), delta({}, "tool_calls")),
  length: done(spoken, delta({}, "length"), counted),
  refusal: done(delta({ refusal: suiteReplies.refusal }), delta({}, "stop")),
  server_error: failing(500, "The server had an error.", "server_error"),
  rate_limited: failing(429, "Rate limit reached.", "rate_limit_exceeded", { "retry-after-ms": String(suiteReplies.retryAfterMs) }),
  unauthorized: failing(401, "Incorrect API key provided.", "invalid_api_key"),
  context_overflow: failing(400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
  cut: { text: delta({ content: half }), end: "reset" },
  stall: { text: delta({ content: half }), end: "hang" },
  silence: { never: true },
  garbage: { recording: "web-page.html" },
};

describeBackend("chat-completions", async (ambient) => {
  const vendor = await openReplayServer();
  return {
    backend: createChatCompletions({ model: "replay-model", apiKey: KEY, baseUrl: vendor.url, ambient }),
    replyWith: (...kinds) => vendor.script(...kinds.map((kind) => replies[kind])) as undefined,
    requestCount: () => vendor.requests.length,
    close: () => vendor.close(),
  };
});
