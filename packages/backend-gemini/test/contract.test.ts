import type { JsonValue } from "@massgen/contracts";
import { describeBackend, type ReplyKind, suiteReplies } from "@massgen/testing/suites";
import { createGemini } from "../src/index.js";
import { openReplayServer, type Reply } from "./replay-server.js";
import { KEY } from "./turns.js";

const { text, call, secondCall, usage } = suiteReplies;
const half = text.slice(0, text.length / 2);
const counted = { promptTokenCount: usage.inputTokens, candidatesTokenCount: usage.outputTokens };

const chunk = (parts: readonly JsonValue[], finishReason: string | null = null, usageMetadata: JsonValue = null): string =>
  `data: ${JSON.stringify({
    candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason === null ? {} : { finishReason }) }],
    ...(usageMetadata === null ? {} : { usageMetadata }),
  })}\r\n\r\n`;
const calls = (...args: readonly { readonly tool: string; readonly input: JsonValue }[]): readonly JsonValue[] =>
  args.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } }));
const failing = (code: number, status: string, message: string, details: readonly JsonValue[] = []): Reply => ({
  status: code,
  json: { error: { code, message, status, details } },
});
const spoken = chunk([{ text: half }]) + chunk([{ text: text.slice(half.length) }]);

const replies: Readonly<Record<ReplyKind, Reply>> = {
  text: { text: spoken + chunk([{ text: "" }], "STOP", counted) },
  text_without_usage: { text: spoken + chunk([], "STOP") },
  tool_call: { text: chunk(calls(call), "STOP", counted) },
  two_tool_calls: { text: chunk(calls(call, secondCall), "STOP", counted) },
  broken_arguments: { text: chunk(calls({ tool: call.tool, input: suiteReplies.brokenArguments }), "STOP") },
  length: { text: spoken + chunk([], "MAX_TOKENS", counted) },
  refusal: { text: `data: ${JSON.stringify({ promptFeedback: { blockReason: "SAFETY", blockReasonMessage: suiteReplies.refusal } })}\n\n` },
  server_error: failing(500, "INTERNAL", "An internal error has occurred."),
  rate_limited: failing(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", [
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${suiteReplies.retryAfterMs / 1000}s` },
  ]),
  unauthorized: failing(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
  context_overflow: failing(
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ),
  cut: { text: chunk([{ text: half }]), end: "reset" },
  stall: { text: chunk([{ text: half }]), end: "hang" },
  silence: { never: true },
  garbage: { text: "<!doctype html><title>Portal</title>", headers: { "content-type": "text/html; charset=utf-8" } },
};

describeBackend("gemini", async (ambient) => {
  const vendor = await openReplayServer();
  return {
    backend: createGemini({ model: "replay-model", apiKey: KEY, baseUrl: vendor.origin, ambient }),
    replyWith: (...kinds) => vendor.script(...kinds.map((kind) => replies[kind])) as undefined,
    requestCount: () => vendor.requests.length,
    close: () => vendor.close(),
  };
});
