import {
  type AttemptEvent,
  addFragment,
  type OpenToolCalls,
  openToolCalls,
  splitThinkTags,
  type ThinkTagSplitter,
} from "@massgen/backend-kit";
import type { JsonValue, TextPart } from "@massgen/contracts";
import { isObject } from "./json.js";
import { mergeDetails, type ReasoningField, textOfDetails } from "./reasoning.js";

type Fields = Readonly<Record<string, unknown>>;

/** All that is remembered of one response while it streams. */
export interface ChatStream {
  /** Events to be handed out, in order; emptied by the reader. */
  events: AttemptEvent[];
  readonly calls: OpenToolCalls;
  readonly think: ThinkTagSplitter;
  readonly toTool: (name: string) => string;
  text: string;
  reasoning: string;
  reasoningField: ReasoningField | null;
  readonly details: Record<string, JsonValue>[];
  refused: boolean;
  finish: string | null;
  /** The last usage object that came, as it came. */
  usage: Fields | null;
  /** Chunks of this API so far. */
  chunks: number;
  /** Something came that a silent vendor would not send; reset by the reader. */
  alive: boolean;
}

export function openChatStream(takenIds: Iterable<string>, newId: () => string, toTool: (name: string) => string): ChatStream {
  return {
    events: [],
    calls: openToolCalls(takenIds, newId),
    think: splitThinkTags(),
    toTool,
    text: "",
    reasoning: "",
    reasoningField: null,
    details: [],
    refused: false,
    finish: null,
    usage: null,
    chunks: 0,
    alive: false,
  };
}

/** What is to be handed out since the last time. */
export function takeEvents(stream: ChatStream): readonly AttemptEvent[] {
  const { events } = stream;
  if (events.length > 0) stream.events = [];
  return events;
}

/** Takes in one chunk. What is not of this API, or says nothing, changes nothing. */
export function takeChunk(stream: ChatStream, chunk: Fields): void {
  const xGroq = chunk["x_groq"];
  const usage = chunk["usage"] ?? (isObject(xGroq) ? xGroq["usage"] : null);
  if (isObject(usage)) {
    stream.usage = usage;
    stream.alive = true;
  }
  const choices = chunk["choices"];
  if (!Array.isArray(choices)) return;
  stream.chunks++;
  const choice = choices.find((candidate) => isObject(candidate) && (candidate["index"] ?? 0) === 0) as Fields | undefined;
  if (choice === undefined) return;
  // A server that was asked to stream and does not sends the whole message at once.
  const delta = choice["delta"] ?? choice["message"];
  if (isObject(delta)) takeDelta(stream, delta);
  const finish = choice["finish_reason"];
  if (typeof finish === "string" && finish !== "") {
    stream.finish = finish;
    stream.alive = true;
  }
  if (stream.events.length > 0) stream.alive = true;
}

function takeDelta(stream: ChatStream, delta: Fields): void {
  takeReasoning(stream, delta);
  for (const [field, take] of HANDLERS) {
    const value = delta[field];
    if (value !== undefined && value !== null) take(stream, value);
  }
}

/** One handler per field of a delta, in the order in which a message is read. Reasoning has three fields and comes first. */
const HANDLERS: readonly (readonly [string, (stream: ChatStream, value: unknown) => void])[] = [
  ["content", takeContent],
  ["refusal", takeRefusal],
  ["tool_calls", takeToolCalls],
  ["function_call", (stream, value) => takeToolCalls(stream, [{ function: value }])],
];

/** The same thought may stand in all three fields of a chunk; it counts once. */
function takeReasoning(stream: ChatStream, delta: Fields): void {
  const details = delta["reasoning_details"];
  if (Array.isArray(details) && details.length > 0) {
    mergeDetails(stream.details, details);
    stream.reasoningField = "reasoning_details";
    stream.alive = true;
  }
  for (const field of ["reasoning_content", "reasoning"] as const) {
    const text = delta[field];
    if (typeof text !== "string" || text === "") continue;
    stream.reasoningField ??= field;
    addReasoning(stream, text);
    return;
  }
  addReasoning(stream, textOfDetails(details));
}

function takeContent(stream: ChatStream, value: unknown): void {
  if (typeof value === "string") addSplit(stream, stream.think.push(value));
  if (Array.isArray(value)) for (const part of value) takeContentPart(stream, part);
}

/** Text in parts; Mistral's thinking models put their thoughts beside it, one level deeper. */
function takeContentPart(stream: ChatStream, part: unknown): void {
  if (!isObject(part)) return;
  const thoughts = part["thinking"];
  addReasoning(stream, typeof thoughts === "string" ? thoughts : textOfDetails(thoughts));
  if (typeof part["text"] === "string") addText(stream, part["text"]);
}

function takeRefusal(stream: ChatStream, value: unknown): void {
  if (typeof value !== "string" || value === "") return;
  stream.refused = true;
  addText(stream, value);
}

function takeToolCalls(stream: ChatStream, value: unknown): void {
  if (!Array.isArray(value)) return;
  for (const fragment of value) {
    if (!isObject(fragment)) continue;
    const called = isObject(fragment["function"]) ? fragment["function"] : {};
    const shown = addFragment(stream.calls, {
      index: typeof fragment["index"] === "number" ? fragment["index"] : null,
      id: textOf(fragment["id"]),
      name: textOf(called["name"]),
      arguments: typeof called["arguments"] === "string" || isObject(called["arguments"]) ? called["arguments"] : null,
    });
    stream.alive = true;
    if (shown !== null) stream.events.push({ type: "tool_input_delta", ...shown, tool: stream.toTool(shown.tool) });
  }
}

/** What the splitter still held back when the message ended. */
export function flushText(stream: ChatStream): void {
  addSplit(stream, stream.think.end());
}

function addSplit(stream: ChatStream, { text, reasoning }: { readonly text: string; readonly reasoning: string }): void {
  if (reasoning !== "") stream.reasoningField ??= "think";
  addReasoning(stream, reasoning);
  addText(stream, text);
}

function addText(stream: ChatStream, text: TextPart["text"]): void {
  if (text === "") return;
  stream.text += text;
  stream.events.push({ type: "text_delta", text });
}

function addReasoning(stream: ChatStream, text: string): void {
  if (text === "") return;
  stream.reasoning += text;
  stream.events.push({ type: "reasoning_delta", text, summary: false });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
