import type { JsonValue } from "@massgen/contracts";
import { describeBackend, type ReplyKind, suiteReplies } from "@massgen/testing/suites";
import { createOpenAI } from "../src/index.js";
import { openReplayServer, type Reply } from "./replay-server.js";
import { KEY } from "./turns.js";
import { added, argumentsDelta, callItem, completed, done, event, sse, textDelta, textItem } from "./wire.js";

const { text, call, secondCall, refusal } = suiteReplies;
const half = text.slice(0, text.length / 2);
const usage = { input_tokens: suiteReplies.usage.inputTokens, output_tokens: suiteReplies.usage.outputTokens };

const begun = added(0, { id: "m0", type: "message", status: "in_progress", role: "assistant", content: [] });
const spoken = [begun, textDelta(0, half), textDelta(0, text.slice(half.length)), done(0, textItem("m0", text))];
const refused: JsonValue = { id: "m0", type: "message", role: "assistant", status: "completed", content: [{ type: "refusal", refusal }] };
const called = (...calls: readonly { readonly tool: string; readonly text: string }[]): Reply => {
  const items = calls.map(({ tool, text: json }, index) => callItem(String(index), tool, json));
  const events = items.flatMap((item, index) => [
    added(index, { ...item, arguments: "", status: "in_progress" }),
    argumentsDelta(String(index), index, calls[index]!.text),
    done(index, item),
  ]);
  return sse(...events, completed(items, { usage }));
};
const whole = ({ tool, input }: typeof call) => ({ tool, text: JSON.stringify(input) });
const failing = (status: number, message: string, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { error: { message, code } },
});

const replies: Readonly<Record<ReplyKind, Reply>> = {
  text: sse(...spoken, completed([textItem("m0", text)], { usage })),
  text_without_usage: sse(...spoken, completed([textItem("m0", text)])),
  tool_call: called(whole(call)),
  two_tool_calls: called(whole(call), whole(secondCall)),
  broken_arguments: called({ tool: call.tool, text: suiteReplies.brokenArguments }),
  length: sse(
    ...spoken,
    event("response.incomplete", {
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output: [textItem("m0", text)], usage },
    }),
  ),
  refusal: sse(begun, done(0, refused), completed([refused], { usage })),
  server_error: failing(500, "The server had an error.", "server_error"),
  rate_limited: failing(429, "Rate limit reached.", "rate_limit_exceeded", { "retry-after-ms": String(suiteReplies.retryAfterMs) }),
  unauthorized: failing(401, "Incorrect API key provided.", "invalid_api_key"),
  context_overflow: failing(400, "Your input exceeds the context window of this model.", "context_length_exceeded"),
  cut: { ...sse(begun, textDelta(0, half)), end: "reset" },
  stall: { ...sse(begun, textDelta(0, half)), end: "hang" },
  silence: { never: true },
  garbage: { recording: "web-page.html" },
};

describeBackend("openai", async (ambient) => {
  const vendor = await openReplayServer();
  return {
    backend: createOpenAI({ model: "replay-model", apiKey: KEY, baseUrl: vendor.url, ambient }),
    replyWith: (...kinds) => vendor.script(...kinds.map((kind) => replies[kind])) as undefined,
    requestCount: () => vendor.requests.length,
    close: () => vendor.close(),
  };
});
