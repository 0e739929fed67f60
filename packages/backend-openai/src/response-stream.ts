import type { AttemptEvent } from "@massgen/backend-kit";
import { builtInEvents, isBuiltInCall } from "./built-in-calls.js";
import { type Fields, isObject, listOf, textOf } from "./json.js";
import {
  argumentsText,
  callDelta,
  indexOf,
  isCall,
  itemOfPiece,
  itemOfWhole,
  newItem,
  nextDelta,
  type OutputItem,
  type PieceKind,
  pieceOf,
  piecesOf,
  VENDOR_CALL,
} from "./output-items.js";

/** All that is remembered of one response while it streams. */
export interface ResponseStream {
  /** Events to be handed out, in order; emptied by the reader. */
  events: AttemptEvent[];
  /** In the order in which they began. */
  readonly items: OutputItem[];
  /** Names on the wire of the tools that were offered. */
  readonly names: ReadonlySet<string>;
  readonly toTool: (name: string) => string;
  readonly takenIds: Set<string>;
  readonly newId: () => string;
  /** The response as it was when it ended; `null` as long as it has not. */
  ending: { readonly status: string; readonly response: Fields } | null;
  hasReasoned: boolean;
  hasRefused: boolean;
  /** Events of this API so far. */
  seen: number;
  /** Something came that a silent vendor would not send; reset by the reader. */
  alive: boolean;
}

export interface StreamOptions {
  readonly names: Iterable<string>;
  readonly toTool: (name: string) => string;
  /** Ids of the conversation so far, which no call of this response may repeat. */
  readonly takenIds: Iterable<string>;
  readonly newId: () => string;
}

export function openResponseStream({ names, toTool, takenIds, newId }: StreamOptions): ResponseStream {
  return {
    events: [],
    items: [],
    names: new Set(names),
    toTool,
    takenIds: new Set(takenIds),
    newId,
    ending: null,
    hasReasoned: false,
    hasRefused: false,
    seen: 0,
    alive: false,
  };
}

/** What is to be handed out since the last time. */
export function takeEvents(stream: ResponseStream): readonly AttemptEvent[] {
  const { events } = stream;
  if (events.length > 0) stream.events = [];
  return events;
}

/** Takes in one event. What is not of this API, or says nothing, changes nothing. */
export function takeEvent(stream: ResponseStream, event: Fields): void {
  const type = textOf(event["type"]);
  if (!type.startsWith("response.")) return;
  stream.seen++;
  HANDLERS[type]?.(stream, event);
  // A search or a run of code may take minutes in which only its progress is told.
  if (stream.events.length > 0 || PROGRESS.test(type)) stream.alive = true;
}

type Handler = (stream: ResponseStream, event: Fields) => void;

const PROGRESS = /_call(?:_code)?\.|\.mcp_/;

/** One handler per event of the wire (docs/spec/backends.md 9.2). Events that only announce or repeat are not in it. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  "response.output_item.added": (stream, event) => takeItem(stream, event, { isLast: false }),
  "response.output_item.done": (stream, event) => takeItem(stream, event, { isLast: true }),
  "response.output_text.delta": delta("text", "content_index"),
  "response.output_text.done": whole("text", "content_index", "text"),
  "response.refusal.delta": delta("refusal", "content_index"),
  "response.refusal.done": whole("refusal", "content_index", "refusal"),
  "response.reasoning_text.delta": delta("thought", "content_index"),
  "response.reasoning_text.done": whole("thought", "content_index", "text"),
  "response.reasoning_summary_text.delta": delta("summary", "summary_index"),
  "response.reasoning_summary_text.done": whole("summary", "summary_index", "text"),
  "response.function_call_arguments.delta": delta("input", null),
  "response.function_call_arguments.done": whole("input", null, "arguments"),
  "response.custom_tool_call_input.delta": delta("input", null),
  "response.custom_tool_call_input.done": whole("input", null, "input"),
  "response.completed": (stream, event) => takeEnding(stream, event, "completed"),
  "response.incomplete": (stream, event) => takeEnding(stream, event, "incomplete"),
};

function delta(kind: PieceKind, positionField: string | null): Handler {
  return (stream, event) => {
    const text = textOf(event["delta"]);
    if (text !== "") addText(stream, itemFor(stream, event, kind), kind, positionOf(event, positionField), text);
  };
}

function whole(kind: PieceKind, positionField: string | null, field: string): Handler {
  return (stream, event) => {
    const item = itemFor(stream, event, kind);
    if (kind === "input" && item.name === "") item.name = textOf(event["name"]);
    settle(stream, item, kind, positionOf(event, positionField), argumentsText(event[field]));
  };
}

/** An item that begins, or the last word on one; done-only servers begin and end it at once. */
function takeItem(stream: ResponseStream, event: Fields, { isLast }: { readonly isLast: boolean }): void {
  if (!isObject(event["item"])) return;
  stream.alive = true;
  takeWhole(stream, event["item"], indexOf(event), isLast);
}

function takeWhole(stream: ResponseStream, raw: Fields, index: number | null, isLast: boolean): void {
  const isForeign = raw["type"] === "custom_tool_call" && !stream.names.has(textOf(raw["name"]));
  const type = isForeign ? VENDOR_CALL : textOf(raw["type"]);
  // What begins is new, whatever its place: some servers count every item as the first.
  let item = itemOfWhole(stream.items, type, raw, isLast ? index : null);
  if (item === null || (!isLast && item.isDone)) {
    item = newItem(type, textOf(raw["id"]), index, raw);
    stream.items.push(item);
  }
  // The last word may come twice, and only one of them with the encrypted thoughts.
  if (!(item.isDone && item.raw["encrypted_content"] && !raw["encrypted_content"])) item.raw = raw;
  item.isDone ||= isLast && raw["status"] !== "incomplete" && raw["status"] !== "in_progress";
  if (item.name === "") item.name = textOf(raw["name"]);
  for (const { kind, position, text } of piecesOf(raw)) settle(stream, item, kind, position, text);
  if (isCall(item)) showCall(stream, item);
  if (item.isDone && isBuiltInCall(item.type) && !item.isReported) {
    item.isReported = true;
    stream.events.push(...builtInEvents(raw));
  }
}

/** The final output confirms what streamed and brings what did not. */
function takeEnding(stream: ResponseStream, event: Fields, said: string): void {
  const response = isObject(event["response"]) ? event["response"] : {};
  for (const [index, item] of listOf(response["output"]).entries()) if (isObject(item)) takeWhole(stream, item, index, true);
  stream.ending = { status: textOf(response["status"]) || said, response };
  stream.alive = true;
}

function itemFor(stream: ResponseStream, event: Fields, kind: PieceKind): OutputItem {
  const known = itemOfPiece(stream.items, event, kind);
  if (known !== null) return known;
  const type = kind === "input" ? "function_call" : kind === "text" || kind === "refusal" ? "message" : "reasoning";
  const item = newItem(type, textOf(event["item_id"]), indexOf(event), { type, id: textOf(event["item_id"]) });
  stream.items.push(item);
  return item;
}

/** Every text counts once, whether it came in pieces, at the end, or both. */
function settle(stream: ResponseStream, item: OutputItem, kind: PieceKind, position: number, full: string): void {
  const piece = pieceOf(item, kind, position);
  if (full === "" || full === piece.text) return;
  if (full.startsWith(piece.text)) addText(stream, item, kind, position, full.slice(piece.text.length));
  else piece.text = full;
}

function addText(stream: ResponseStream, item: OutputItem, kind: PieceKind, position: number, text: string): void {
  const piece = pieceOf(item, kind, position);
  const isFirst = piece.text === "";
  const before = piece.text.length;
  piece.text += text;
  if (kind === "input") {
    if (!isCall(item)) return;
    const shown = nextDelta(item, before, text, stream.toTool);
    if (shown === null) showCall(stream, item);
    else stream.events.push(shown);
  } else if (kind === "text" || kind === "refusal") {
    stream.hasRefused ||= kind === "refusal";
    stream.events.push({ type: "text_delta", text });
  } else {
    const separator = isFirst && stream.hasReasoned ? "\n\n" : "";
    stream.hasReasoned = true;
    stream.events.push({ type: "reasoning_delta", text: separator + text, summary: kind === "summary" });
  }
}

function showCall(stream: ResponseStream, item: OutputItem): void {
  if (item.callId === "" && item.name !== "") item.callId = claimId(stream, textOf(item.raw["call_id"]));
  const shown = callDelta(item, stream.toTool);
  if (shown !== null) stream.events.push(shown);
}

/** The vendor's id, or one of our own where it has none or repeats one. */
export function claimId({ takenIds, newId }: ResponseStream, wanted: string): string {
  let id = wanted;
  while (id === "" || takenIds.has(id)) id = newId();
  takenIds.add(id);
  return id;
}

function positionOf(event: Fields, field: string | null): number {
  const position = field === null ? 0 : event[field];
  return typeof position === "number" ? position : 0;
}
