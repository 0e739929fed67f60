import type { ReplyContent } from "../reply.js";
import { lintChatCompletions } from "./lint-chat-completions.js";
import { readChatCompletions } from "./read-chat-completions.js";
import type { FinishReason, ReplyHead, StreamWriter, Wire, WireUsage } from "./wire.js";

/** OpenAI's Chat Completions, as it and the compatible vendors speak it. */
export const chatCompletions: Wire = {
  api: "chat_completions",
  basePath: "/v1",
  route(method, path) {
    if (method === "POST" && path === "/v1/chat/completions") return "generate";
    return method === "GET" && path === "/v1/models" ? "models" : null;
  },
  read: readChatCompletions,
  lint: lintChatCompletions,
  stream: writeStream,
  whole: writeWhole,
  error(status, message, code) {
    return JSON.stringify({ error: { message, type: errorType(status), param: null, code } });
  },
  models(names, createdAtSeconds) {
    const data = names.map((id) => ({ id, object: "model", created: createdAtSeconds, owned_by: "simulated" }));
    return JSON.stringify({ object: "list", data });
  },
};

function writeStream(head: ReplyHead): StreamWriter {
  // Only the choices change from chunk to chunk; the frame around them is written once.
  const frame = JSON.stringify({
    id: `chatcmpl-${head.id}`,
    object: "chat.completion.chunk",
    created: head.createdAtSeconds,
    model: head.model,
  });
  const chunk = (choices: string, rest = ""): string => `data: ${frame.slice(0, -1)},"choices":[${choices}]${rest}}\n\n`;
  const delta = (json: string): string => chunk(`{"index":0,"delta":${json},"finish_reason":null}`);
  return {
    open: () => delta('{"role":"assistant","content":""}'),
    reasoning: (piece) => delta(`{"reasoning_content":${JSON.stringify(piece)}}`),
    text: (piece) => delta(`{"content":${JSON.stringify(piece)}}`),
    callStart: (index, name) =>
      delta(JSON.stringify({ tool_calls: [{ index, id: callId(head, index), type: "function", function: { name, arguments: "" } }] })),
    callInput: (index, jsonPiece) => delta(`{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(jsonPiece)}}}]}`),
    close: (finish, usage) =>
      chunk(`{"index":0,"delta":{},"finish_reason":"${finishReason(finish)}"}`) +
      (head.includeUsage ? chunk("", `,"usage":${JSON.stringify(wireUsage(usage))}`) : "") +
      "data: [DONE]\n\n",
  };
}

function writeWhole(head: ReplyHead, content: ReplyContent, finish: FinishReason, usage: WireUsage): string {
  const calls = (content.toolCalls ?? []).map((call, index) => ({
    id: callId(head, index),
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }));
  const message = {
    role: "assistant",
    content: content.text ?? (calls.length > 0 ? null : ""),
    refusal: null,
    ...(content.reasoning === undefined ? {} : { reasoning_content: content.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return JSON.stringify({
    id: `chatcmpl-${head.id}`,
    object: "chat.completion",
    created: head.createdAtSeconds,
    model: head.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(finish) }],
    usage: wireUsage(usage),
  });
}

const callId = (head: ReplyHead, index: number): string => `call_${head.id}_${index}`;
const finishReason = (finish: FinishReason): string => (finish === "refusal" ? "content_filter" : finish);

function wireUsage(usage: WireUsage): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
};
const errorType = (status: number): string => ERROR_TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");
