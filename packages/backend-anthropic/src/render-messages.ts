import { completeHistory, legalToolName, sendableText } from "@massgen/backend-kit";
import type { JsonValue, Message, Part, ToolOutput, ToolResult } from "@massgen/contracts";
import type { JsonObject } from "./json.js";
import { renderMedia } from "./media.js";
import { blockOf } from "./opaque-block.js";
import { type Quirks, sealOf } from "./quirks.js";
import type { WireTools } from "./tools.js";

export interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}

export interface RenderedHistory {
  readonly system: readonly JsonObject[];
  readonly messages: readonly WireMessage[];
  /** The block behind which a prompt differs from one agent or round to the next; `null` when there is no such place. */
  readonly sharedEnd: JsonObject | null;
}

export interface RenderContext {
  readonly model: string;
  readonly tools: WireTools;
  readonly quirks: Quirks;
}

/** The history as this API takes it; equal histories give equal bytes (docs/spec/backends.md 11.1). */
export function renderHistory(history: readonly Message[], context: RenderContext): RenderedHistory {
  const system: JsonObject[] = [];
  const rendered: WireMessage[] = [];
  let sharedEnd: JsonObject | null = null;
  for (const message of completeHistory(history)) {
    if (message.role === "system") {
      if (message.text.trim() !== "") system.push({ type: "text", text: sendableText(message.text) });
      continue;
    }
    const content = renderContent(message, context);
    // What is said before the last part of the opening message is the same for all who get it.
    if (message.role === "user") sharedEnd ??= content.at(-2) ?? null;
    if (content.length > 0) rendered.push({ role: message.role === "assistant" ? "assistant" : "user", content });
  }
  return { system, messages: closeLast(mergeNeighbours(rendered)), sharedEnd };
}

function renderContent(message: Exclude<Message, { readonly role: "system" }>, context: RenderContext): readonly JsonObject[] {
  switch (message.role) {
    case "user":
      return renderUser(message.parts);
    case "assistant":
      return message.parts.flatMap((part) => renderOwn(part, context));
    case "tool":
      return message.results.map(renderResult);
  }
}

function renderUser(parts: readonly Part[]): readonly JsonObject[] {
  return withoutBlanks(
    parts.flatMap((part): readonly JsonObject[] => {
      if (part.type === "media") return [renderMedia(part)];
      return part.type === "text" ? [{ type: "text", text: sendableText(part.text) }] : [];
    }),
  );
}

/** The vendor refuses a blank text; it reads texts as one, so a blank one goes to the text before it. */
function withoutBlanks(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const kept: JsonObject[] = [];
  for (const block of blocks) {
    const before = kept.at(-1);
    if (!isBlank(block)) kept.push(block);
    else if (before?.["type"] === "text") kept[kept.length - 1] = { ...before, text: `${String(before["text"])}${String(block["text"])}` };
  }
  return kept;
}

const isBlank = (block: JsonObject): boolean => block["type"] === "text" && !/\S/.test(String(block["text"]));

function renderOwn(part: Part, { model, tools, quirks }: RenderContext): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      return /\S/.test(part.text) ? [{ type: "text", text: sendableText(part.text) }] : [];
    case "reasoning": {
      const block = blockOf(part, model);
      return block === null || quirks.refusedThoughts.has(sealOf(block)) ? [] : [block];
    }
    case "tool_call": {
      const input = tools.inputToWire(part.tool, part.input);
      return [{ type: "tool_use", id: legalToolName(part.callId), name: tools.toWire(part.tool), input: sendableJson(input) }];
    }
    // The model cannot be told that it once made a picture.
    case "media":
      return [];
  }
}

function renderResult({ callId, output }: ToolResult): JsonObject {
  return {
    type: "tool_result",
    tool_use_id: legalToolName(callId),
    content: resultContent(output),
    ...(output.isError ? { is_error: true } : {}),
  };
}

function resultContent({ parts }: ToolOutput): JsonValue {
  const blocks = parts
    .map((part) => (part.type === "text" ? { type: "text", text: sendableText(part.text) } : renderMedia(part)))
    .filter((block) => !isBlank(block));
  const [only, ...more] = blocks;
  if (only === undefined) return "(no output)";
  return more.length === 0 && only["type"] === "text" ? String(only["text"]) : blocks;
}

function sendableJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return sendableText(value);
  if (Array.isArray(value)) return value.map(sendableJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [sendableText(key), sendableJson(item)]));
}

/** Roles take turns, and the user begins: neighbours of one role become one message, results of tools stay in front. */
function mergeNeighbours(messages: readonly WireMessage[]): readonly WireMessage[] {
  const merged: WireMessage[] = messages[0]?.role === "user" ? [] : [{ role: "user", content: [{ type: "text", text: "Go on." }] }];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else merged.push(message);
  }
  return merged;
}

/** Text the model is to continue may not end in white space. */
function closeLast(messages: readonly WireMessage[]): readonly WireMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== "assistant" || block?.["type"] !== "text") return messages;
  const trimmed = { ...block, text: String(block["text"]).trimEnd() };
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), trimmed] }];
}
