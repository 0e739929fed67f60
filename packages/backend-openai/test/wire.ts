import type { JsonValue } from "@massgen/contracts";
import type { Reply } from "./replay-server.js";

type Fields = { readonly [key: string]: JsonValue };

/** Events of the wire, written by hand where no recording shows the case. */
export const event = (type: string, fields: Fields = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

export const sse = (...events: readonly string[]): Reply => ({ text: events.join("") });

export const completed = (output: readonly JsonValue[] = [], fields: Fields = {}): string =>
  event("response.completed", { response: { id: "resp", object: "response", status: "completed", output, usage: null, ...fields } });

export const textItem = (id: string, text: string, fields: Fields = {}): Fields => ({
  id,
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
  ...fields,
});

export const callItem = (id: string, name: string, args: string, fields: Fields = {}): Fields => ({
  id: `fc_${id}`,
  type: "function_call",
  status: "completed",
  call_id: `call_${id}`,
  name,
  arguments: args,
  ...fields,
});

export const reasoningItem = (id: string, text: string, fields: Fields = {}): Fields => ({
  id,
  type: "reasoning",
  summary: [{ type: "summary_text", text }],
  encrypted_content: `enc-${id}`,
  ...fields,
});

export const added = (index: number, item: Fields): string => event("response.output_item.added", { output_index: index, item });
export const done = (index: number, item: Fields): string => event("response.output_item.done", { output_index: index, item });
export const textDelta = (index: number, text: string): string =>
  event("response.output_text.delta", { item_id: `m${index}`, output_index: index, content_index: 0, delta: text });
export const argumentsDelta = (id: string, index: number, piece: string): string =>
  event("response.function_call_arguments.delta", { item_id: `fc_${id}`, output_index: index, delta: piece });
