import type { JsonValue } from "./ids.js";
import type { AssistantMessage, Message, ToolOutput, ToolSpec } from "./message.js";

/** What the model may call in this turn. `none` forbids calls while the definitions stay the same (prompt caches). */
export type ToolChoice = "auto" | "required" | "none" | { readonly tool: string };

export interface TurnRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly toolChoice: ToolChoice;
  /** Upper bound of generated tokens; `null` leaves it to the vendor. */
  readonly maxOutputTokens: number | null;
  /** Present for backends with `loop: "own"`: the runtime calls it for every tool it does not execute itself. */
  readonly callTool?: (call: { readonly callId: string; readonly tool: string; readonly input: JsonValue }) => Promise<ToolOutput>;
  /** Options the user wrote for this backend, already validated by the adapter's own schema. */
  readonly options: { readonly [key: string]: JsonValue };
}

export interface Usage {
  /** Tokens as the vendor counted them; cached and reasoning tokens are parts of input and output, not additions. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** US dollars; `null` when the price is unknown (then budgets count tokens only). */
  readonly costUsd: number | null;
  /** True when the vendor sent no usage and the numbers were estimated from the texts. */
  readonly estimated?: boolean;
}

export type FailureKind = "protocol" | "backend_transient" | "backend_fatal" | "stall" | "context_overflow" | "internal";

export interface BackendFailure {
  readonly kind: Exclude<FailureKind, "protocol" | "stall">;
  /** For people, secrets removed: what was asked of whom, and what came back. */
  readonly message: string;
  readonly status: number | null;
  /** Milliseconds the vendor asked us to wait; `null` when it did not say. */
  readonly retryAfterMs: number | null;
}

/** One step of one model turn. Exactly one `turn_end` or `turn_failed` closes the stream, and nothing follows it. */
export type BackendEvent =
  | { readonly type: "turn_start"; readonly model: string; readonly warnings: readonly string[] }
  /** The adapter waits `waitMs` and tries again; what this turn streamed so far is void. */
  | { readonly type: "turn_retried"; readonly attempt: number; readonly waitMs: number; readonly message: string }
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "reasoning_delta"; readonly text: string; readonly summary: boolean }
  | { readonly type: "tool_input_delta"; readonly callId: string; readonly tool: string; readonly json: string }
  /** A complete call. `inputError`: see `Part`. */
  | {
      readonly type: "tool_call";
      readonly callId: string;
      readonly tool: string;
      readonly input: JsonValue;
      readonly inputError?: string;
      readonly executedBy: "host" | "backend";
    }
  | { readonly type: "tool_result"; readonly callId: string; readonly output: ToolOutput }
  | { readonly type: "file_change"; readonly path: string; readonly change: "created" | "modified" | "deleted" }
  | { readonly type: "context_compacted"; readonly tokensBefore: number; readonly tokensAfter: number }
  /**
   * `length`: the token limit cut the turn; calls that were cut are left out of `message`, and `warning` names them.
   * `refusal`: the vendor or the model declined; the text of `message` says why, as far as it was told.
   */
  | {
      readonly type: "turn_end";
      readonly reason: StopReason;
      readonly message: AssistantMessage;
      readonly usage: Usage | null;
      readonly warning?: string;
    }
  | { readonly type: "turn_failed"; readonly failure: BackendFailure; readonly partial: string };

export type StopReason = "stop" | "tool_calls" | "length" | "refusal";

export interface BackendCapabilities {
  readonly loop: "host" | "own";
  /** How hook results reach the model. */
  readonly hookDelivery: "in_process" | "native" | "file_channel" | "none";
  readonly toolsMayChangeMidConversation: boolean;
  readonly forcedToolChoice: boolean;
  readonly parallelToolCalls: boolean;
  readonly input: readonly ("text" | "image" | "audio" | "video" | "pdf")[];
  readonly contextWindowTokens: number | null;
  readonly resumableConversations: boolean;
}

/**
 * One configured model behind one vendor API or agent runtime.
 *
 * Contract, checked by the `describeBackend` suite of `@massgen/testing`:
 * - `stream` never throws and never rejects; failure is a `turn_failed` event.
 * - The first event is `turn_start`.
 * - Aborting `signal` ends the stream within two seconds with `turn_failed` of kind `backend_transient`.
 * - Retries and back-off happen inside, on the injected clock, each announced by `turn_retried`.
 * - No state is kept between calls; two calls may run at once.
 * - Nothing is loaded or connected before the first `stream`.
 */
export interface BackendAdapter {
  readonly specVersion: 1;
  /** The provider type, `openai`, `groq`, … */
  readonly id: string;
  readonly model: string;
  readonly capabilities: BackendCapabilities;
  stream(request: TurnRequest, signal: AbortSignal): AsyncIterable<BackendEvent>;
  dispose(): Promise<void>;
}
