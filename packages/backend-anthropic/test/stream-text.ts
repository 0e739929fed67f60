import type { JsonValue } from "@massgen/contracts";

type Fields = { readonly [key: string]: JsonValue };

/** The bytes of streams of this API, for replies that no recording has. */
export const event = (type: string, fields: Fields = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

export const begin = (usage: JsonValue = { input_tokens: 31, output_tokens: 1 }): string =>
  event("message_start", {
    message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage },
  });

/** A whole block: how it starts, what comes of it, its end. */
export const block = (index: number, start: Fields, ...deltas: readonly Fields[]): string =>
  event("content_block_start", { index, content_block: start }) +
  deltas.map((delta) => event("content_block_delta", { index, delta })).join("") +
  event("content_block_stop", { index });

export const text = (index: number, ...pieces: readonly string[]): string =>
  block(index, { type: "text", text: "" }, ...pieces.map((piece) => ({ type: "text_delta", text: piece })));

export const call = (index: number, id: string, name: string, json: string): string =>
  block(index, { type: "tool_use", id, name, input: {} }, { type: "input_json_delta", partial_json: json });

export const end = (stopReason: string, usage: JsonValue = { output_tokens: 17 }, more: Fields = {}): string =>
  event("message_delta", { delta: { stop_reason: stopReason, stop_sequence: null, ...more }, usage }) + event("message_stop");
