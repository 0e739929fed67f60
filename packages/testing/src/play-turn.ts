import type { BackendEvent, BackendFailure, Part, StopReason, TurnRequest, Usage } from "@massgen/contracts";
import { estimateUsage } from "./estimate-tokens.js";
import type { Pacer } from "./pacer.js";
import type { Piece } from "./script.js";
import { unlessAborted } from "./unless-aborted.js";

/** What the response amounts to so far. */
interface Draft {
  readonly callIndex: number;
  parts: Part[];
  partial: string;
  attempts: number;
  usage: Usage | null | undefined;
  reason: StopReason | null;
  warning: string | null;
  failure: BackendFailure | null;
}

export interface Play {
  readonly pieces: readonly Piece[];
  readonly request: TurnRequest;
  readonly callIndex: number;
  readonly pacer: Pacer;
  readonly signal: AbortSignal;
}

/** The events of one response after its `turn_start`. Closes exactly once, with a failure when `signal` aborts. */
export async function* playTurn({ pieces, request, callIndex, pacer, signal }: Play): AsyncGenerator<BackendEvent> {
  const draft: Draft = { callIndex, parts: [], partial: "", attempts: 0, usage: undefined, reason: null, warning: null, failure: null };
  try {
    for (const piece of pieces) {
      signal.throwIfAborted();
      yield* playPiece(piece, draft, pacer, signal);
      if (draft.failure !== null) break;
    }
    if (draft.failure === null) await pacer.firstToken();
    signal.throwIfAborted();
  } catch (error) {
    draft.failure = signal.aborted
      ? { kind: "backend_transient", message: "The request was cancelled.", status: null, retryAfterMs: null }
      : { kind: "internal", message: error instanceof Error ? error.message : String(error), status: null, retryAfterMs: null };
  }
  yield draft.failure === null ? ending(draft, request) : { type: "turn_failed", failure: draft.failure, partial: draft.partial };
}

async function* playPiece(piece: Piece, draft: Draft, pacer: Pacer, signal: AbortSignal): AsyncGenerator<BackendEvent> {
  switch (piece.is) {
    case "text":
      for await (const text of pacer.paced(piece.text)) {
        draft.partial += text;
        yield { type: "text_delta", text };
      }
      draft.parts.push({ type: "text", text: piece.text });
      return;
    case "reasoning":
      for await (const text of pacer.paced(piece.text)) yield { type: "reasoning_delta", text, summary: piece.summary };
      draft.parts.push({ type: "reasoning", text: piece.text, ...(piece.opaque === null ? {} : { opaque: piece.opaque }) });
      return;
    case "call":
      yield* playCall(piece, draft, pacer);
      return;
    case "retried":
      draft.attempts += 1;
      yield { type: "turn_retried", attempt: draft.attempts, waitMs: piece.waitMs, message: piece.message };
      draft.parts = [];
      draft.partial = "";
      pacer.again();
      await pacer.wait(piece.waitMs);
      return;
    case "wait":
      await pacer.wait(piece.ms);
      return;
    case "usage":
      draft.usage = piece.usage;
      return;
    case "ends":
      draft.reason = piece.reason;
      draft.warning = piece.warning;
      return;
    case "fail":
      draft.failure = piece.failure;
      return;
    case "stall":
      await unlessAborted(new Promise<never>(() => {}), signal);
  }
}

async function* playCall(piece: Extract<Piece, { is: "call" }>, draft: Draft, pacer: Pacer): AsyncGenerator<BackendEvent> {
  const { tool, input, result } = piece;
  const callId = piece.callId ?? `call_${draft.callIndex + 1}_${draft.parts.length + 1}`;
  const broken = piece.inputError === null ? {} : { inputError: piece.inputError };
  for await (const json of pacer.paced(piece.inputError ?? JSON.stringify(input))) yield { type: "tool_input_delta", callId, tool, json };
  yield { type: "tool_call", callId, tool, input, ...broken, executedBy: result === null ? "host" : "backend" };
  if (result === null) draft.parts.push({ type: "tool_call", callId, tool, input, ...broken });
  else yield { type: "tool_result", callId, output: result };
}

function ending({ parts, usage, reason, warning }: Draft, request: TurnRequest): BackendEvent {
  const message = { role: "assistant" as const, parts };
  return {
    type: "turn_end",
    reason: reason ?? (parts.some((part) => part.type === "tool_call") ? "tool_calls" : "stop"),
    message,
    usage: usage === undefined ? estimateUsage(request, message) : usage,
    ...(warning === null ? {} : { warning }),
  };
}
