import { type AttemptEvent, type ParsedArguments, parseArguments } from "@massgen/backend-kit";
import type { JsonValue, MediaPart, TextPart, ToolCallPart } from "@massgen/contracts";
import { isObject, type JsonObject, textOf } from "./json.js";
import type { LayoutEntry } from "./message-layout.js";
import { ownToolEvents } from "./own-tools.js";

type Fields = Readonly<Record<string, unknown>>;

/** All that is remembered of one response while it streams. */
export interface ContentStream {
  /** Events to be handed out, in order; emptied by the reader. */
  events: AttemptEvent[];
  readonly takenIds: Set<string>;
  readonly newId: () => string;
  readonly toTool: (name: string) => string;
  /** The parts as they came; entries of texts, media and calls stand for the next of `parts` of their kind. */
  readonly layout: LayoutEntry[];
  readonly parts: (TextPart | MediaPart | ToolCallPart)[];
  reasoning: string;
  finish: string | null;
  finishMessage: string;
  /** Categories a safety filter acted on, as it names them. */
  blockedFor: readonly string[];
  /** Why the prompt was blocked; no candidate follows. */
  blockReason: string | null;
  continuationToken: string | null;
  /** Of the last search: what was asked, what was found. */
  grounding: Fields | null;
  /** The running totals, as they came. */
  usage: Fields | null;
  /** Totals of the responses this one continues. */
  readonly usageBefore: Fields[];
  /** Calls of Google's own tools whose results have not come yet. */
  readonly openOwnCalls: string[];
  /** Chunks of this API so far. */
  chunks: number;
  /** Something came that a silent vendor would not send; reset by the reader. */
  alive: boolean;
}

export function openContentStream(takenIds: Iterable<string>, newId: () => string, toTool: (name: string) => string): ContentStream {
  return {
    events: [],
    takenIds: new Set(takenIds),
    newId,
    toTool,
    layout: [],
    parts: [],
    reasoning: "",
    finish: null,
    finishMessage: "",
    blockedFor: [],
    blockReason: null,
    continuationToken: null,
    grounding: null,
    usage: null,
    usageBefore: [],
    openOwnCalls: [],
    chunks: 0,
    alive: false,
  };
}

/** What is to be handed out since the last time. */
export function takeEvents(stream: ContentStream): readonly AttemptEvent[] {
  const { events } = stream;
  if (events.length > 0) stream.events = [];
  return events;
}

/** The response was interrupted; the next one goes on in the same stream. */
export function continueStream(stream: ContentStream): void {
  if (stream.usage !== null) stream.usageBefore.push(stream.usage);
  stream.usage = null;
  stream.finish = null;
  stream.continuationToken = null;
}

/** Takes in one chunk. What is not of this API, or says nothing, changes nothing. */
export function takeChunk(stream: ContentStream, chunk: Fields): void {
  const { usageMetadata: usage, promptFeedback: feedback, candidates } = chunk;
  if (isObject(usage)) {
    // A model that thinks without showing it sends chunks with nothing but a growing total.
    if (usage["totalTokenCount"] !== stream.usage?.["totalTokenCount"]) stream.alive = true;
    // Running totals: the last one counts, field by field, because late chunks leave some out.
    stream.usage = { ...stream.usage, ...usage };
    stream.chunks++;
  }
  if (isObject(feedback)) {
    stream.chunks++;
    takeBlock(stream, feedback);
  }
  if (!Array.isArray(candidates)) return;
  stream.chunks++;
  const candidate = candidates.find((one) => isObject(one) && (one["index"] ?? 0) === 0) as Fields | undefined;
  if (candidate !== undefined) takeCandidate(stream, candidate);
  if (stream.events.length > 0) stream.alive = true;
}

function takeBlock(stream: ContentStream, feedback: Fields): void {
  const reason = textOf(feedback["blockReason"]);
  if (reason === "") return;
  stream.blockReason = reason;
  stream.finishMessage = textOf(feedback["blockReasonMessage"]);
  stream.blockedFor = blockedCategories(feedback["safetyRatings"]);
  stream.alive = true;
}

function takeCandidate(stream: ContentStream, candidate: Fields): void {
  const content = candidate["content"];
  const parts = isObject(content) ? content["parts"] : null;
  if (Array.isArray(parts)) for (const part of parts) if (isObject(part)) takePart(stream, part);
  if (isObject(candidate["groundingMetadata"])) stream.grounding = { ...stream.grounding, ...candidate["groundingMetadata"] };
  const finish = textOf(candidate["finishReason"]);
  if (finish === "") return;
  stream.finish = finish;
  stream.finishMessage = textOf(candidate["finishMessage"]);
  stream.blockedFor = blockedCategories(candidate["safetyRatings"]);
  stream.continuationToken = textOf(candidate["continuationToken"]) || null;
  stream.alive = true;
}

/** A part has one field with data in it; the signature may stand beside any. */
function takePart(stream: ContentStream, part: Fields): void {
  const signature = textOf(part["thoughtSignature"]);
  const signed = signature === "" ? {} : { thoughtSignature: signature };
  const handler = HANDLERS.find(([field]) => part[field] !== undefined && part[field] !== null);
  // A signature by itself belongs to what came before it, and is kept as an empty text, which the API takes back.
  if (handler === undefined && signature !== "") stream.layout.push({ is: "part", part: { text: "", ...signed } });
  handler?.[1](stream, part, signed);
}

type Signed = { readonly thoughtSignature?: string };
type Take = (stream: ContentStream, part: Fields, signed: Signed) => void;

const HANDLERS: readonly (readonly [string, Take])[] = [
  ["functionCall", takeCall],
  ["executableCode", takeOwnTool],
  ["codeExecutionResult", takeOwnTool],
  ["toolCall", takeOwnTool],
  ["toolResponse", takeOwnTool],
  ["inlineData", takeMedia],
  ["text", takeText],
];

function takeText(stream: ContentStream, part: Fields, signed: Signed): void {
  const text = textOf(part["text"]);
  const isSigned = signed.thoughtSignature !== undefined;
  if (part["thought"] === true) {
    // Thoughts are not sent back, unless they carry a signature of their own.
    if (isSigned) stream.layout.push({ is: "part", part: { text, thought: true, ...signed } });
    stream.reasoning += text;
    if (text !== "") stream.events.push({ type: "reasoning_delta", text, summary: true });
    return;
  }
  if (text === "") {
    if (isSigned) stream.layout.push({ is: "part", part: { text, ...signed } });
    return;
  }
  const last = stream.layout.at(-1);
  const lastPart = stream.parts.at(-1);
  // A signed text stays apart from an unsigned one.
  const goesOn = !isSigned && last?.is === "text" && last.thoughtSignature === undefined && lastPart?.type === "text";
  if (goesOn) stream.parts[stream.parts.length - 1] = { type: "text", text: lastPart.text + text };
  else {
    stream.layout.push({ is: "text", ...signed });
    stream.parts.push({ type: "text", text });
  }
  stream.events.push({ type: "text_delta", text });
}

/** The name a call goes by that never got one: nothing can run it, and the model is told so. */
const NAMELESS = "unnamed_tool";

/** Calls come whole. One without an id, or with one that the conversation has used, gets an id of ours. */
function takeCall(stream: ContentStream, part: Fields, signed: Signed): void {
  const call = isObject(part["functionCall"]) ? part["functionCall"] : {};
  const id = textOf(call["id"]);
  const callId = claimId(stream, id);
  const name = textOf(call["name"]);
  const read = readArguments(call["args"]);
  const { input, inputError } = name === "" ? { input: {}, inputError: "The call has no tool name." } : read;
  const tool = name === "" ? NAMELESS : stream.toTool(name);
  stream.layout.push({ is: "call", callId, ...(id === "" ? {} : { id }), ...signed });
  stream.parts.push({ type: "tool_call", callId, tool, input, ...(inputError === undefined ? {} : { inputError }) });
  stream.events.push({ type: "tool_input_delta", callId, tool, json: JSON.stringify(call["args"] ?? {}) });
}

/** An object; gateways that translate from other APIs send it as text at times. */
function readArguments(args: unknown): ParsedArguments {
  if (args === undefined || args === null) return { input: {} };
  return parseArguments(typeof args === "string" ? args.trim() : JSON.stringify(args));
}

function claimId({ takenIds, newId }: ContentStream, wanted: string): string {
  let id = wanted;
  while (id === "" || takenIds.has(id)) id = newId();
  takenIds.add(id);
  return id;
}

/** Code that Google runs, and searches beside functions: told to whoever watches, and sent back as they came. */
function takeOwnTool(stream: ContentStream, part: Fields): void {
  stream.layout.push({ is: "part", part: part as JsonObject });
  stream.events.push(...ownToolEvents(part, stream.openOwnCalls, stream.newId));
}

function takeMedia(stream: ContentStream, part: Fields, signed: Signed): void {
  const data = isObject(part["inlineData"]) ? part["inlineData"] : {};
  const bytes = fromBase64(textOf(data["data"]));
  if (bytes === null) return;
  stream.layout.push({ is: "media", ...signed });
  stream.parts.push({ type: "media", mediaType: textOf(data["mimeType"]) || "application/octet-stream", data: bytes });
  stream.alive = true;
}

function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function blockedCategories(ratings: unknown): readonly string[] {
  if (!Array.isArray(ratings)) return [];
  return (ratings as readonly JsonValue[]).flatMap((rating) =>
    isObject(rating) && rating["blocked"] === true ? [`${textOf(rating["category"])} ${textOf(rating["probability"])}`.trim()] : [],
  );
}
