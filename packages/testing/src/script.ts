import type { BackendFailure, JsonValue, ToolOutput, Usage } from "@massgen/contracts";

/** One thing a scripted model does within a response. Build them with the functions below. */
export type Piece =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "reasoning"; readonly text: string; readonly summary: boolean; readonly opaque: JsonValue | null }
  | {
      readonly is: "call";
      readonly tool: string;
      readonly input: JsonValue;
      readonly inputError: string | null;
      readonly callId: string | null;
      readonly result: ToolOutput | null;
    }
  | { readonly is: "retried"; readonly waitMs: number; readonly message: string }
  | { readonly is: "wait"; readonly ms: number }
  | { readonly is: "usage"; readonly usage: Usage | null }
  | { readonly is: "fail"; readonly failure: BackendFailure }
  | { readonly is: "stall" }
  | { readonly is: "ends"; readonly reason: "length" | "refusal"; readonly warning: string | null };

/** One response of the model: a piece, or several in order. */
export type Turn = Piece | readonly Piece[];

export function text(content: string): Piece {
  return { is: "text", text: content };
}

export function reasoning(content: string, options: { readonly summary?: boolean; readonly opaque?: JsonValue } = {}): Piece {
  return { is: "reasoning", text: content, summary: options.summary ?? false, opaque: options.opaque ?? null };
}

/** A call the host is to run. Without `callId` it gets `call_<response>_<place>`. */
export function toolCall(tool: string, input: JsonValue = {}, options: { readonly callId?: string } = {}): Piece {
  return { is: "call", tool, input, inputError: null, callId: options.callId ?? null, result: null };
}

/** A call whose arguments, `raw`, cannot be read as a JSON object. */
export function brokenCall(tool: string, raw: string): Piece {
  return { is: "call", tool, input: {}, inputError: raw, callId: null, result: null };
}

/** A call the runtime behind the backend ran itself; the result follows it in the stream. */
export function ownCall(tool: string, input: JsonValue, result: string): Piece {
  return { is: "call", tool, input, inputError: null, callId: null, result: { parts: [{ type: "text", text: result }], isError: false } };
}

export function newAnswer(content: string): Piece {
  return toolCall("new_answer", { content });
}

/** `target` as the model writes it, normally `agent1`, `agent2`, … */
export function vote(target: string, reason: string, confidence?: number): Piece {
  return toolCall("vote", { agent_id: target, reason, ...(confidence === undefined ? {} : { confidence }) });
}

/** Ends the response as a failure. Messages and statuses default to what vendors typically send. */
export function fail(kind: BackendFailure["kind"], details: Partial<Omit<BackendFailure, "kind">> = {}): Piece {
  return { is: "fail", failure: { kind, ...typicalFailure[kind], ...details } };
}

const typicalFailure: Record<BackendFailure["kind"], Omit<BackendFailure, "kind">> = {
  backend_transient: { message: "The scripted vendor is overloaded (status 503).", status: 503, retryAfterMs: null },
  backend_fatal: { message: "The scripted vendor refused the key (status 401).", status: 401, retryAfterMs: null },
  context_overflow: {
    message: "The conversation is longer than the context window of the scripted model.",
    status: 400,
    retryAfterMs: null,
  },
  internal: { message: "The scripted adapter broke.", status: null, retryAfterMs: null },
};

/** The connection breaks here, after what came before. */
export function cut(): Piece {
  return fail("backend_transient", { message: "The scripted stream broke off.", status: null });
}

/** Nothing comes any more; only an abort ends it. */
export function stall(): Piece {
  return { is: "stall" };
}

/** The adapter gave up an attempt, waits on the clock and starts over: what this response streamed so far is void. */
export function retried(waitMs: number, message = "The scripted vendor asked to wait (status 429)."): Piece {
  return { is: "retried", waitMs, message };
}

/** Time in which nothing is streamed, on the clock. */
export function wait(ms: number): Piece {
  return { is: "wait", ms };
}

/** What the vendor reports at the end; `null` for a vendor that reports nothing. Without it, usage is counted from the texts. */
export function usage(numbers: Partial<Usage> | null): Piece {
  if (numbers === null) return { is: "usage", usage: null };
  return { is: "usage", usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: null, ...numbers } };
}

/** The token limit ends the response. Calls that were cut are named by `warning` and are no pieces. */
export function lengthLimit(warning?: string): Piece {
  return { is: "ends", reason: "length", warning: warning ?? null };
}

/** The model declines, with `explanation` as its text. */
export function refusal(explanation: string): Turn {
  return [text(explanation), { is: "ends", reason: "refusal", warning: null }];
}
