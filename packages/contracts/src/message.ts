import type { JsonSchema, JsonValue } from "./ids.js";

/**
 * A piece of a message, the same for every vendor; adapters render it.
 *
 * `reasoning.opaque` is the vendor's own payload (signatures, encrypted thoughts), tagged by the adapter that made it:
 * it goes back untouched to the same adapter and model family and is dropped everywhere else.
 * `tool_call.inputError` is set when the model's arguments could not be read as a JSON object (`input` is then `{}`):
 * the call must be answered with an error that quotes it and must never run.
 */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly opaque?: JsonValue }
  | { readonly type: "tool_call"; readonly callId: string; readonly tool: string; readonly input: JsonValue; readonly inputError?: string }
  | { readonly type: "media"; readonly mediaType: string; readonly data: Uint8Array | URL };

export type TextPart = Extract<Part, { type: "text" }>;
export type MediaPart = Extract<Part, { type: "media" }>;
export type ToolCallPart = Extract<Part, { type: "tool_call" }>;

export interface ToolResult {
  readonly callId: string;
  readonly output: ToolOutput;
}

/** One history for all adapters. Every tool call is answered by a result in the next message, before anything else. */
export type Message =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly parts: readonly Part[] }
  | { readonly role: "assistant"; readonly parts: readonly Part[] }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export type AssistantMessage = Extract<Message, { role: "assistant" }>;

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

/** What the model gets back. `isError` results are for the model to react to; they never end a round. */
export interface ToolOutput {
  readonly parts: readonly (TextPart | MediaPart)[];
  readonly isError: boolean;
}
