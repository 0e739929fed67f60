import { completeHistory, sendableText, type ToolNames } from "@massgen/backend-kit";
import type { Message, Part, ToolCallPart } from "@massgen/contracts";
import type { JsonObject } from "./json.js";
import { type Layout, layoutOf } from "./message-layout.js";
import type { ModelFacts } from "./model-facts.js";
import { renderMedia } from "./render-media.js";
import { type AnsweredCall, renderResults, tellResults } from "./render-results.js";

export interface ContentRules {
  readonly names: ToolNames;
  readonly facts: ModelFacts;
  /** Calls and results of the history are told as text: their signatures were refused. */
  readonly callsAsText: boolean;
  /** The model takes no system instruction; it stands in the first content. */
  readonly withoutSystem: boolean;
  /** Said by the user at the end, after a response that could not be read; empty for nothing. */
  readonly nudge: string;
}

export interface RenderedContents {
  readonly systemInstruction: JsonObject | null;
  readonly contents: readonly JsonObject[];
}

interface Content {
  readonly role: "user" | "model";
  readonly parts: readonly JsonObject[];
}

/** Begins a conversation that would have no beginning of the user's. */
const OPENING: Content = { role: "user", parts: [{ text: "Continue." }] };

/** The history as this API takes it; equal histories give equal contents. */
export function renderContents(messages: readonly Message[], rules: ContentRules): RenderedContents {
  const system = messages.flatMap((message) => (message.role === "system" && message.text !== "" ? [textPart(message.text)] : []));
  const contents: Content[] = [];
  if (rules.withoutSystem && system.length > 0) contents.push({ role: "user", parts: system });
  let calls: ReadonlyMap<string, AnsweredCall> = new Map();
  for (const message of completeHistory(messages)) {
    if (message.role === "system") continue;
    if (message.role === "user") add(contents, { role: "user", parts: message.parts.flatMap(userPart) });
    if (message.role === "assistant") {
      // Signatures hold for the calls they came with, so what was not made by this family of models is told and not called.
      const layout = rules.callsAsText ? null : layoutOf(message.parts, rules.facts.family);
      calls = callsOf(message.parts, layout);
      add(contents, {
        role: "model",
        parts: layout === null ? tellParts(message.parts) : orderedParts(message.parts, layout, rules.names),
      });
    }
    if (message.role === "tool") {
      const results = rules.callsAsText || [...calls.values()].some(({ told }) => told) ? tellResults : renderResults;
      for (const parts of results(message.results, calls, rules)) add(contents, { role: "user", parts });
    }
  }
  if (contents[0]?.role !== "user") contents.unshift(OPENING);
  if (rules.nudge !== "") contents.push({ role: "user", parts: [textPart(rules.nudge)] });
  return {
    systemInstruction: system.length === 0 || rules.withoutSystem ? null : { parts: system },
    contents: contents.map(({ role, parts }) => ({ role, parts })),
  };
}

/** Neighbours of the model are one content: a call must follow something of the user's. */
function add(contents: Content[], content: Content): void {
  const last = contents.at(-1);
  if (content.parts.length === 0) return;
  if (content.role === "model" && last?.role === "model")
    contents[contents.length - 1] = { role: "model", parts: [...last.parts, ...content.parts] };
  else contents.push(content);
}

function userPart(part: Part): readonly JsonObject[] {
  if (part.type === "media") return [renderMedia(part)];
  return part.type === "text" && part.text !== "" ? [textPart(part.text)] : [];
}

/** The parts as they came, each with the signature it had. What the layout does not know follows unsigned. */
function orderedParts(parts: readonly Part[], layout: Layout, names: ToolNames): readonly JsonObject[] {
  const texts = parts.filter((part) => part.type === "text" && part.text !== "").map((part) => userPart(part)[0]!);
  const media = parts.flatMap((part) => (part.type === "media" ? [renderMedia(part)] : []));
  const calls = new Map(parts.flatMap((part) => (part.type === "tool_call" ? [[part.callId, part] as const] : [])));
  // A text that was changed since is no longer the one that was signed.
  const isUnchanged = texts.length === layout.filter(({ is }) => is === "text").length;
  const ordered = layout.flatMap((entry): readonly JsonObject[] => {
    if (entry.is === "part") return [entry.part];
    const signature = entry.thoughtSignature === undefined ? {} : { thoughtSignature: entry.thoughtSignature };
    if (entry.is === "call") {
      const call = calls.get(entry.callId);
      calls.delete(entry.callId);
      return call === undefined ? [] : [{ functionCall: functionCall(call, entry.id, names), ...signature }];
    }
    const next = (entry.is === "text" ? texts : media).shift();
    return next === undefined ? [] : [{ ...next, ...(isUnchanged || entry.is === "media" ? signature : {}) }];
  });
  const rest = [...calls.values()].map((call): JsonObject => ({ functionCall: functionCall(call, undefined, names) }));
  const all = [...ordered, ...texts, ...media, ...rest];
  // Nothing but signatures says nothing, and a content without data is refused.
  return all.some((part) => part["text"] !== "") ? all : [];
}

function functionCall({ tool, input }: ToolCallPart, id: string | undefined, names: ToolNames): JsonObject {
  return { ...(id === undefined ? {} : { id }), name: names.toWire(tool), args: input };
}

/** A message that some other model made: its texts, and its calls in words. */
function tellParts(parts: readonly Part[]): readonly JsonObject[] {
  return parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === "tool_call") return [textPart(`[Called the tool ${part.tool} with ${JSON.stringify(part.input)}]`)];
    return userPart(part);
  });
}

function callsOf(parts: readonly Part[], layout: Layout | null): ReadonlyMap<string, AnsweredCall> {
  const ids = new Map((layout ?? []).flatMap((entry) => (entry.is === "call" ? [[entry.callId, entry.id] as const] : [])));
  return new Map(
    parts.flatMap((part) =>
      part.type === "tool_call"
        ? [[part.callId, { tool: part.tool, id: ids.get(part.callId) ?? null, told: layout === null }] as const]
        : [],
    ),
  );
}

function textPart(text: string): JsonObject {
  return { text: sendableText(text) };
}
