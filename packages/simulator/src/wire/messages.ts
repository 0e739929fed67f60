import type { ReplyContent } from "../reply.js";
import { lintMessagesRequest } from "./lint-messages.js";
import { readMessages } from "./read-messages.js";
import type { FinishReason, ReplyHead, StreamWriter, Wire, WireUsage } from "./wire.js";

/** Anthropic's Messages. Its list of models has the address of the one of Chat Completions, and is answered there. */
export const messages: Wire = {
  api: "messages",
  basePath: "",
  route: (method, path) => (method === "POST" && path === "/v1/messages" ? "generate" : null),
  read: readMessages,
  lint: lintMessagesRequest,
  stream: writeStream,
  whole: writeWhole,
  error: (status, message) => JSON.stringify({ type: "error", error: { type: errorType(status), message }, request_id: null }),
  models(names, createdAtSeconds) {
    const created_at = new Date(createdAtSeconds * 1000).toISOString();
    const data = names.map((id) => ({ type: "model", id, display_name: `${id} (simulated)`, created_at }));
    return JSON.stringify({ data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null });
  },
};

/** Every thought is sealed; clients have to bring it back with its seal. */
const SIGNATURE = "c2ltdWxhdGVkLXNpZ25hdHVyZQ==";

type Kind = "text" | "thinking" | "call";

function writeStream(head: ReplyHead): StreamWriter {
  let index = -1;
  let open: Kind | null = null;
  const event = (type: string, rest: string): string => `event: ${type}\ndata: {"type":"${type}"${rest}}\n\n`;
  const delta = (json: string): string => event("content_block_delta", `,"index":${index},"delta":${json}`);
  /** The end of the block that is open now; says nothing about the next. */
  const endOfBlock = (): string => {
    if (open === null) return "";
    const seal = open === "thinking" ? delta(`{"type":"signature_delta","signature":"${SIGNATURE}"}`) : "";
    return seal + event("content_block_stop", `,"index":${index}`);
  };
  const begin = (kind: Kind, block: string): string => {
    const before = endOfBlock();
    index++;
    open = kind;
    return before + event("content_block_start", `,"index":${index},"content_block":${block}`);
  };
  const say = (kind: "text" | "thinking", block: string, json: string): string => (open === kind ? "" : begin(kind, block)) + delta(json);
  return {
    open: () => event("message_start", `,"message":${JSON.stringify({ ...frame(head, []), stop_reason: null, usage: START_USAGE })}`),
    reasoning: (piece) =>
      say("thinking", '{"type":"thinking","thinking":"","signature":""}', `{"type":"thinking_delta","thinking":${JSON.stringify(piece)}}`),
    text: (piece) => say("text", '{"type":"text","text":""}', `{"type":"text_delta","text":${JSON.stringify(piece)}}`),
    callStart: (call, name) => begin("call", JSON.stringify({ type: "tool_use", id: callId(head, call), name, input: {} })),
    callInput: (_call, jsonPiece) => delta(`{"type":"input_json_delta","partial_json":${JSON.stringify(jsonPiece)}}`),
    close: (finish, usage) =>
      endOfBlock() +
      event("message_delta", `,"delta":${JSON.stringify(ending(finish))},"usage":${JSON.stringify(wireUsage(usage))}`) +
      event("message_stop", ""),
  };
}

function writeWhole(head: ReplyHead, content: ReplyContent, finish: FinishReason, usage: WireUsage): string {
  const blocks = [
    ...(content.reasoning === undefined ? [] : [{ type: "thinking", thinking: content.reasoning, signature: SIGNATURE }]),
    ...(content.text === undefined ? [] : [{ type: "text", text: content.text }]),
    ...(content.toolCalls ?? []).map(({ name, input }, index) => ({ type: "tool_use", id: callId(head, index), name, input })),
  ];
  return JSON.stringify({ ...frame(head, blocks), ...ending(finish), usage: wireUsage(usage) });
}

/** The tokens are counted when the reply is complete, and told with its last events. */
const START_USAGE = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };

const frame = (head: ReplyHead, content: readonly object[]): object => ({
  id: `msg_${head.id}`,
  type: "message",
  role: "assistant",
  model: head.model,
  content,
  stop_sequence: null,
});

const callId = (head: ReplyHead, index: number): string => `toolu_${head.id}_${index}`;

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
};
const ending = (finish: FinishReason): object => ({ stop_reason: STOP_REASONS[finish], stop_sequence: null });

/** Here the input is counted without what came from the cache. */
function wireUsage({ inputTokens, cachedTokens, outputTokens, reasoningTokens }: WireUsage): object {
  return {
    input_tokens: Math.max(0, inputTokens - cachedTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
  };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};
const errorType = (status: number): string => ERROR_TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
