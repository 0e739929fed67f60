/**
 * What the vendor behind the backend is to reply with, one entry per request. The texts are those of `suiteReplies`, so
 * that the suite recognises them.
 */
export type ReplyKind =
  /** `suiteReplies.text` in at least two pieces, with `suiteReplies.usage`, ending normally. */
  | "text"
  /** `suiteReplies.text`, ending normally, and no usage anywhere. */
  | "text_without_usage"
  /** One call of `suiteReplies.call`. */
  | "tool_call"
  /** `suiteReplies.call` and `suiteReplies.secondCall` in one response. */
  | "two_tool_calls"
  /** A call of `suiteReplies.call.tool` with `suiteReplies.brokenArguments`. */
  | "broken_arguments"
  /** `suiteReplies.text` as far as it came when the vendor's token limit hit. */
  | "length"
  /** The vendor or the model declines, with `suiteReplies.refusal` as far as the API can carry a text. */
  | "refusal"
  /** Status 500 or what the API has for it. */
  | "server_error"
  /** Status 429 that asks to wait `suiteReplies.retryAfterMs`. */
  | "rate_limited"
  /** Status 401. */
  | "unauthorized"
  /** The vendor's own error for a conversation longer than the context window. */
  | "context_overflow"
  /** The beginning of `suiteReplies.text`, then the connection breaks. */
  | "cut"
  /** The beginning of `suiteReplies.text`, then nothing, for ever. */
  | "stall"
  /** Accepts the request and never says a word. */
  | "silence"
  /** Status 200 and a page of HTML. */
  | "garbage";

export const suiteReplies: {
  readonly text: string;
  readonly refusal: string;
  readonly call: { readonly tool: string; readonly input: { readonly [key: string]: string } };
  readonly secondCall: { readonly tool: string; readonly input: { readonly [key: string]: string } };
  readonly brokenArguments: string;
  readonly retryAfterMs: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
} = {
  text: "A cache forgets the oldest entry first: größer, 大きい, 📦.",
  refusal: "I will not help with this.",
  call: { tool: "lookup", input: { topic: "LRU – größte Einträge" } },
  secondCall: { tool: "lookup", input: { topic: "LFU" } },
  brokenArguments: '{"topic": "LRU',
  retryAfterMs: 3000,
  usage: { inputTokens: 31, outputTokens: 17 },
};
