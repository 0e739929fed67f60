import type { JsonValue } from "@massgen/contracts";

/** How fast a reply is written. Delays count from one absolute start, so they do not add up errors. */
export interface Pace {
  /** Milliseconds until the first token. */
  readonly firstTokenMs: number;
  /** `0`: everything at once after `firstTokenMs`. */
  readonly tokensPerSecond: number;
  /** Tokens that are written together; default 1. */
  readonly tokensPerPacket?: number;
  /** Tokens in one event of the stream; default 1, or all of them when the whole reply is written at once. */
  readonly tokensPerEvent?: number;
}

export interface SimulatedUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
}

export interface ReplyToolCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** What a model says in one turn. */
export interface ReplyContent {
  readonly text?: string;
  /** Streamed before the text. */
  readonly reasoning?: string;
  /** Streamed after the text. */
  readonly toolCalls?: readonly ReplyToolCall[];
}

export type SimulatedReply =
  /** A whole answer. `finish` defaults to what the content calls for; `usage` overrides what the simulator counted. */
  | (ReplyContent & {
      readonly kind: "message";
      readonly finish?: "stop" | "length" | "refusal";
      readonly usage?: SimulatedUsage;
      readonly pace?: Pace;
    })
  /** An HTTP error. Without `body` the vendor's error object; a string is sent as it is, as `text/plain` unless `headers` say otherwise. */
  | {
      readonly kind: "failure";
      readonly status: number;
      readonly body?: JsonValue;
      readonly headers?: Readonly<Record<string, string>>;
      readonly afterMs?: number;
    }
  /** The connection breaks after `after` events of content; when not streaming, in the middle of the body. */
  | (ReplyContent & { readonly kind: "cut"; readonly after: number; readonly pace?: Pace })
  /** Status line and headers, the content there is, then silence until the client leaves. */
  | (ReplyContent & { readonly kind: "stall"; readonly pace?: Pace })
  /** Not even a status line. */
  | { readonly kind: "mute" };

export type MessageReply = Extract<SimulatedReply, { readonly kind: "message" }>;
