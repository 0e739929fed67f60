import { describeBackend, type ReplyKind, suiteReplies } from "@massgen/testing/suites";
import { createAnthropic } from "../src/index.js";
import { openReplayServer, type Reply } from "./replay-server.js";
import { begin, call, end, text } from "./stream-text.js";
import { KEY } from "./turns.js";

const { text: said, call: first, secondCall, usage } = suiteReplies;
const half = said.slice(0, said.length / 2);
const spoken = text(0, half, said.slice(half.length));
const halfSpoken = begin() + text(0, half);
const counted = { output_tokens: usage.outputTokens };
const whole = (...pieces: readonly string[]): Reply => ({ text: begin() + pieces.join("") });
const callOf = (index: number, { tool, input }: typeof first): string => call(index, `toolu_${index}`, tool, JSON.stringify(input));
const failing = (status: number, type: string, message: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { type: "error", error: { type, message }, request_id: "req_1" },
});

const replies: Readonly<Record<ReplyKind, Reply>> = {
  text: whole(spoken, end("end_turn", counted)),
  text_without_usage: { text: begin(null) + spoken + end("end_turn", null) },
  tool_call: whole(callOf(0, first), end("tool_use", counted)),
  two_tool_calls: whole(callOf(0, first), callOf(1, secondCall), end("tool_use", counted)),
  broken_arguments: whole(call(0, "toolu_0", first.tool, suiteReplies.brokenArguments), end("tool_use", counted)),
  length: whole(spoken, end("max_tokens", counted)),
  refusal: whole(text(0, "I"), end("refusal", counted, { stop_details: { category: "cyber", explanation: suiteReplies.refusal } })),
  server_error: failing(500, "api_error", "Internal server error"),
  rate_limited: failing(429, "rate_limit_error", "Too many tokens per minute", {
    "retry-after": String(suiteReplies.retryAfterMs / 1000),
  }),
  unauthorized: failing(401, "authentication_error", "invalid x-api-key"),
  context_overflow: failing(400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
  cut: { text: halfSpoken, end: "reset" },
  stall: { text: halfSpoken, end: "hang" },
  silence: { never: true },
  garbage: { recording: "web-page.html" },
};

describeBackend("anthropic", async (ambient) => {
  const vendor = await openReplayServer();
  return {
    backend: createAnthropic({ model: "replay-model", apiKey: KEY, baseUrl: vendor.url, ambient }),
    replyWith: (...kinds) => vendor.script(...kinds.map((kind) => replies[kind])) as undefined,
    requestCount: () => vendor.requests.length,
    close: () => vendor.close(),
  };
});
