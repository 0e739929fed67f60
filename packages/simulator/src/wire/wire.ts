import type { JsonValue } from "@massgen/contracts";
import type { ReplyContent } from "../reply.js";
import type { SimulatedApi, SimulatedPrompt } from "../request.js";

export type JsonObject = { readonly [key: string]: JsonValue };

/** A rule of the vendor that a request breaks. */
export interface Violation {
  /** A fixed sentence, the same for every request that breaks the rule. */
  readonly rule: string;
  /** Where in the body, and the value found there: `messages[2].tool_calls[0]: call_7`. */
  readonly where: string;
}

export interface WireReading {
  readonly prompt: SimulatedPrompt;
  /** See `canonicalPrompt`. */
  readonly canonicalText: string;
  /** The client wants usage in the stream; APIs that always send it say true. */
  readonly includeUsage: boolean;
}

/** What the frame of a reply is made of. `id` is unique per reply and becomes part of every id in it. */
export interface ReplyHead {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly createdAtSeconds: number;
  /** The client asked for usage in the stream. */
  readonly includeUsage: boolean;
}

export type FinishReason = "stop" | "tool_calls" | "length" | "refusal";

export interface WireUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

/**
 * Writes one streamed reply, each method the bytes of the events for one thing said. Called in order: `open`, then
 * reasoning, text and calls, then `close`. A call is begun with `callStart` before its input, and calls do not overlap.
 * A writer may remember what it wrote; `close` changes nothing and is called again for a reply that is given again.
 */
export interface StreamWriter {
  open(): string;
  reasoning(piece: string): string;
  text(piece: string): string;
  callStart(index: number, name: string): string;
  callInput(index: number, jsonPiece: string): string;
  close(finish: FinishReason, usage: WireUsage): string;
}

/** One vendor API at the wire: what requests mean, which rules they keep, how replies look. */
export interface Wire {
  readonly api: SimulatedApi;
  /** What a client is given as base URL, after `http://127.0.0.1:PORT`. */
  readonly basePath: string;
  /** What a request asks of this API; `null` when the path is not its own. */
  route(method: string, path: string): "generate" | "models" | null;
  /** Reads a body that may break every rule: what is missing or of another type counts as empty. `path`: of the request. */
  read(body: JsonObject, path: string): WireReading;
  lint(body: JsonObject, path: string): readonly Violation[];
  stream(head: ReplyHead): StreamWriter;
  whole(head: ReplyHead, content: ReplyContent, finish: FinishReason, usage: WireUsage): string;
  error(status: number, message: string, code: string | null): string;
  models(names: readonly string[], createdAtSeconds: number): string;
}
