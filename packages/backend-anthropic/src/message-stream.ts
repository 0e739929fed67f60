import type { AttemptEvent } from "@massgen/backend-kit";
import type { JsonValue } from "@massgen/contracts";
import { asJsonObject, isObject, type JsonObject, parseJson, textOf } from "./json.js";
import { serverResult } from "./server-result.js";

/** One content block while it streams. */
export interface Block {
  readonly type: string;
  /** As `content_block_start` brought it. */
  readonly start: JsonObject;
  /** Of a text or a thought. */
  text: string;
  signature: string;
  /** Arguments of a call, as text. */
  json: string;
  readonly citations: JsonValue[];
  /** Under which a call of ours goes, and the tool it calls. */
  readonly callId: string;
  readonly tool: string;
  isClosed: boolean;
}

/** All that is remembered of one response while it streams. */
export interface MessageStream {
  /** Events to be handed out, in order; emptied by the reader. */
  events: AttemptEvent[];
  /** In the order in which they were begun. */
  readonly blocks: Block[];
  readonly byIndex: Map<unknown, Block>;
  /** The newest known value of each field. */
  readonly usage: Record<string, unknown>;
  /** The final count of output came; the one of `message_start` is only a beginning. */
  isCounted: boolean;
  stopReason: string | null;
  stopDetails: JsonObject;
  container: string | null;
  /** Something of this API came. */
  hasBegun: boolean;
  hasStopped: boolean;
  /** Something came that a silent vendor would not send; reset by the reader. */
  alive: boolean;
  readonly context: StreamContext;
}

export interface StreamContext {
  readonly toTool: (name: string) => string;
  /** An id for a call that no other call of the conversation has. */
  readonly claimId: (wanted: string) => string;
}

export function openMessageStream(context: StreamContext): MessageStream {
  return {
    events: [],
    blocks: [],
    byIndex: new Map(),
    usage: {},
    isCounted: false,
    stopReason: null,
    stopDetails: {},
    container: null,
    hasBegun: false,
    hasStopped: false,
    alive: false,
    context,
  };
}

/** What is to be handed out since the last time. */
export function takeEvents(stream: MessageStream): readonly AttemptEvent[] {
  const { events } = stream;
  if (events.length > 0) stream.events = [];
  return events;
}

type Handler = (stream: MessageStream, event: JsonObject) => void;

/** Takes in one event. What is not of this API, or says nothing, changes nothing. */
export function takeStreamEvent(stream: MessageStream, type: string, event: JsonObject): void {
  const handle = HANDLERS[type];
  if (handle === undefined) return;
  stream.hasBegun = true;
  handle(stream, event);
  if (stream.events.length > 0) stream.alive = true;
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  message_start: (stream, event) => noteMessage(stream, asJsonObject(event["message"])),
  content_block_start: (stream, event) => void openBlock(stream, event["index"], asJsonObject(event["content_block"])),
  content_block_delta(stream, event) {
    const delta = asJsonObject(event["delta"]);
    DELTAS[textOf(delta["type"])]?.(stream, event["index"], delta);
  },
  content_block_stop(stream, event) {
    const block = stream.byIndex.get(event["index"]);
    if (block !== undefined) closeBlock(stream, block);
  },
  message_delta(stream, event) {
    const delta = asJsonObject(event["delta"]);
    noteMessage(stream, { ...delta, usage: event["usage"] ?? null });
    if (typeof asJsonObject(event["usage"])["output_tokens"] === "number") stream.isCounted = true;
    stream.alive = true;
  },
  message_stop(stream) {
    stream.hasStopped = true;
    stream.alive = true;
  },
  // Sent to keep the connection open: says nothing about the model.
  ping() {},
};

function noteMessage(stream: MessageStream, message: JsonObject): void {
  for (const [key, value] of Object.entries(asJsonObject(message["usage"]))) {
    // Later counts are running totals; gateways that do not count send 0 or null in the place of one that came before.
    if (value === null || (value === 0 && stream.usage[key] !== undefined)) continue;
    stream.usage[key] = value;
  }
  const reason = message["stop_reason"];
  if (typeof reason === "string" && reason !== "") stream.stopReason = reason;
  if (isObject(message["stop_details"])) stream.stopDetails = message["stop_details"] as JsonObject;
  const container = message["container"];
  if (isObject(container)) stream.container = textOf(container["id"]) || stream.container;
}

function openBlock(stream: MessageStream, index: JsonValue | undefined, start: JsonObject): Block {
  const type = textOf(start["type"]);
  const isCall = type === "tool_use";
  const block: Block = {
    type,
    start,
    text: "",
    signature: textOf(start["signature"]),
    json: "",
    citations: Array.isArray(start["citations"]) ? [...start["citations"]] : [],
    callId: isCall ? stream.context.claimId(textOf(start["id"])) : textOf(start["id"]),
    tool: isCall ? stream.context.toTool(textOf(start["name"])) : textOf(start["name"]),
    isClosed: false,
  };
  stream.blocks.push(block);
  stream.byIndex.set(index, block);
  stream.alive = true;
  if (type === "text") addText(stream, block, textOf(start["text"]));
  if (type === "thinking") addThought(stream, block, textOf(start["thinking"]));
  if (isCall) stream.events.push({ type: "tool_input_delta", callId: block.callId, tool: block.tool, json: "" });
  const result = serverResult(start);
  if (result !== null) stream.events.push({ type: "tool_result", ...result });
  return block;
}

type DeltaHandler = (stream: MessageStream, index: JsonValue | undefined, delta: JsonObject) => void;

const DELTAS: Readonly<Record<string, DeltaHandler>> = {
  text_delta: (stream, index, delta) => addText(stream, blockAt(stream, index, "text"), textOf(delta["text"])),
  thinking_delta: (stream, index, delta) => addThought(stream, blockAt(stream, index, "thinking"), textOf(delta["thinking"])),
  signature_delta(stream, index, delta) {
    blockAt(stream, index, "thinking").signature += textOf(delta["signature"]);
    stream.alive = true;
  },
  citations_delta(stream, index, delta) {
    if (delta["citation"] !== undefined) blockAt(stream, index, "text").citations.push(delta["citation"]);
    stream.alive = true;
  },
  input_json_delta(stream, index, delta) {
    const block = stream.byIndex.get(index);
    const json = textOf(delta["partial_json"]);
    if (block === undefined || json === "") return;
    block.json += json;
    stream.alive = true;
    if (block.type === "tool_use") addInput(stream, block, json);
  },
};

/** A gateway may forget to begin a block. */
function blockAt(stream: MessageStream, index: JsonValue | undefined, type: "text" | "thinking"): Block {
  return stream.byIndex.get(index) ?? openBlock(stream, index, { type });
}

function addText(stream: MessageStream, block: Block, text: string): void {
  if (text === "") return;
  block.text += text;
  const last = stream.events.at(-1);
  // Pieces that came in one packet go out as one: each event costs its way through all layers up to the screen.
  if (last?.type === "text_delta") stream.events[stream.events.length - 1] = { type: "text_delta", text: last.text + text };
  else stream.events.push({ type: "text_delta", text });
}

function addThought(stream: MessageStream, block: Block, text: string): void {
  if (text === "") return;
  block.text += text;
  const last = stream.events.at(-1);
  if (last?.type === "reasoning_delta") stream.events[stream.events.length - 1] = { ...last, text: last.text + text };
  else stream.events.push({ type: "reasoning_delta", text, summary: false });
}

function addInput(stream: MessageStream, { callId, tool }: Block, json: string): void {
  const last = stream.events.at(-1);
  if (last?.type === "tool_input_delta" && last.callId === callId)
    stream.events[stream.events.length - 1] = { ...last, json: last.json + json };
  else stream.events.push({ type: "tool_input_delta", callId, tool, json });
}

/** A call the vendor runs itself is known with its arguments; its result comes as a block of its own. */
function closeBlock(stream: MessageStream, block: Block): void {
  if (block.isClosed) return;
  block.isClosed = true;
  stream.alive = true;
  if (!isServerCall(block)) return;
  const { callId, tool } = block;
  stream.events.push({ type: "tool_call", callId, tool, input: inputOf(block), executedBy: "backend" });
}

/** What was handed out of a response, in as few pieces as there are blocks. */
export function shownAgain({ blocks }: MessageStream): readonly AttemptEvent[] {
  return blocks.flatMap((block): readonly AttemptEvent[] => {
    const { type, text, start, callId, tool } = block;
    const result = serverResult(start);
    if (result !== null) return [{ type: "tool_result", ...result }];
    if (isServerCall(block))
      return block.isClosed ? [{ type: "tool_call", callId, tool, input: inputOf(block), executedBy: "backend" }] : [];
    if (text === "") return [];
    return [type === "text" ? { type: "text_delta", text } : { type: "reasoning_delta", text, summary: false }];
  });
}

export const isServerCall = ({ type }: Block): boolean => type === "server_tool_use" || type === "mcp_tool_use";

/** The arguments as text; a gateway that does not stream them has put them whole into the beginning of the block. */
export function argumentsText({ json, start }: Block): string {
  if (json.trim() !== "") return json;
  const whole = start["input"];
  return isObject(whole) && Object.keys(whole).length > 0 ? JSON.stringify(whole) : "";
}

/** The arguments of a call the vendor reads itself; `{}` as long as they are not whole. */
export function inputOf(block: Block): JsonObject {
  return asJsonObject(parseJson(argumentsText(block)));
}
