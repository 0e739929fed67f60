import type { AttemptEvent } from "@massgen/backend-kit";
import { type Fields, listOf, textOf } from "./json.js";

/** What a piece of text in an item is. `thought`: the model's own words; `summary`: the vendor's account of them. */
export type PieceKind = "text" | "refusal" | "thought" | "summary" | "input";

export interface Piece {
  readonly kind: PieceKind;
  /** Its place among the pieces of its kind. */
  readonly position: number;
  text: string;
}

/** One item of the output while it streams. */
export interface OutputItem {
  readonly type: string;
  readonly index: number | null;
  /** The vendor's id; some gateways give another one in every event. */
  readonly id: string;
  /** The item as the vendor said it last. */
  raw: Fields;
  /** The vendor has said that this is all of it. */
  isDone: boolean;
  readonly pieces: Piece[];
  /** Of calls: the id it goes by in this conversation, and its name on the wire; both empty until they are known. */
  callId: string;
  name: string;
  /** How much of the arguments has been shown; -1: not even that there is a call. */
  shown: number;
  /** Of calls the vendor ran: it has been told. */
  isReported: boolean;
}

/** A free-form call of a tool that is none of ours: xAI reports its searches of X so. */
export const VENDOR_CALL = "vendor_tool_call";

export const isCall = ({ type }: OutputItem): boolean => type === "function_call" || type === "custom_tool_call";

/** The type of item that a kind of piece stands in. */
const HOME: Readonly<Record<PieceKind, readonly string[]>> = {
  text: ["message"],
  refusal: ["message"],
  thought: ["reasoning"],
  summary: ["reasoning"],
  input: ["function_call", "custom_tool_call", VENDOR_CALL],
};

export function newItem(type: string, id: string, index: number | null, raw: Fields): OutputItem {
  return { type, id, index, raw, isDone: false, pieces: [], callId: "", name: "", shown: -1, isReported: false };
}

/**
 * The item an event speaks of: by its id, else by its place in the output, else the last one. Several may be open at once.
 * `null` when there is none that could hold such a piece.
 */
export function itemOfPiece(items: readonly OutputItem[], event: Fields, kind: PieceKind): OutputItem | null {
  const id = textOf(event["item_id"]);
  const index = indexOf(event);
  const fits = (item: OutputItem | undefined): item is OutputItem => item !== undefined && HOME[kind].includes(item.type);
  const byId = id === "" ? undefined : items.findLast((item) => item.id === id);
  if (fits(byId)) return byId;
  const byIndex = index === null ? undefined : items.findLast((item) => item.index === index);
  if (fits(byIndex)) return byIndex;
  const last = items.findLast((item) => !item.isDone);
  return id === "" && index === null && fits(last) ? last : null;
}

/** The item that a whole item is the last word on; `null` when it is a new one. */
export function itemOfWhole(items: readonly OutputItem[], type: string, raw: Fields, index: number | null): OutputItem | null {
  const same = (field: "id" | "call_id"): OutputItem | undefined => {
    const value = textOf(raw[field]);
    return value === "" ? undefined : items.findLast((item) => item.type === type && textOf(item.raw[field]) === value);
  };
  return same("id") ?? same("call_id") ?? items.findLast((item) => item.type === type && index !== null && item.index === index) ?? null;
}

/** The texts of a whole item: each kind and position with all its text. */
export function piecesOf(raw: Fields): readonly Piece[] {
  const texts = (kind: PieceKind, list: unknown, field = "text"): readonly Piece[] =>
    listOf(list).map((part, position) => ({ kind, position, text: textOf((part as Fields | null)?.[field]) }));
  switch (raw["type"]) {
    case "message":
      return listOf(raw["content"]).map((part, position): Piece => {
        const { type, text, refusal } = (part ?? {}) as Fields;
        return type === "refusal" ? { kind: "refusal", position, text: textOf(refusal) } : { kind: "text", position, text: textOf(text) };
      });
    case "reasoning":
      return [...texts("summary", raw["summary"]), ...texts("thought", raw["content"])];
    case "function_call":
      return [{ kind: "input", position: 0, text: argumentsText(raw["arguments"]) }];
    case "custom_tool_call":
      return [{ kind: "input", position: 0, text: textOf(raw["input"]) }];
    default:
      return [];
  }
}

/** Some servers send the arguments as an object. */
export function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

export function indexOf(event: Fields): number | null {
  return typeof event["output_index"] === "number" ? event["output_index"] : null;
}

export function pieceOf(item: OutputItem, kind: PieceKind, position: number): Piece {
  const known = item.pieces.find((piece) => piece.kind === kind && piece.position === position);
  if (known !== undefined) return known;
  const piece: Piece = { kind, position, text: "" };
  item.pieces.push(piece);
  return piece;
}

/** All text of an item of some kinds, in the order in which it came. */
export function textsOf({ pieces }: OutputItem, kinds: readonly PieceKind[], separator = ""): string {
  return pieces
    .filter(({ kind, text }) => kinds.includes(kind) && text !== "")
    .map(({ text }) => text)
    .join(separator);
}

/** What can be shown of a call now; `null` as long as it has no name, and when nothing is new. */
export function callDelta(item: OutputItem, toTool: (name: string) => string): AttemptEvent | null {
  if (item.name === "" || item.callId === "") return null;
  const text = textsOf(item, ["input"]);
  if (item.shown === text.length) return null;
  const json = text.slice(Math.max(0, item.shown));
  item.shown = text.length;
  return { type: "tool_input_delta", callId: item.callId, tool: toTool(item.name), json };
}

/**
 * What a further piece of arguments adds to a call that is shown up to it; `null` where more is to be shown than the piece.
 * The text so far is not touched: a megabyte in small pieces costs what its pieces cost.
 */
export function nextDelta(item: OutputItem, before: number, text: string, toTool: (name: string) => string): AttemptEvent | null {
  if (item.name === "" || item.callId === "" || item.shown !== before || item.pieces.length !== 1) return null;
  item.shown += text.length;
  return { type: "tool_input_delta", callId: item.callId, tool: toTool(item.name), json: text };
}
