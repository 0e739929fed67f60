import { cells, cut, pad, wrap } from "../columns.js";
import type { Paint } from "../paint.js";
import type { Block } from "./block.js";

export interface Layout {
  readonly width: number;
  /** Cells of the column with the agents' names. */
  readonly nameWidth: number;
  readonly paint: Paint;
  /** Read on a terminal, so prose may be broken into lines; elsewhere texts stay as they are. */
  readonly isScreen: boolean;
}

/** Below this many columns the name stands above what it says, not beside it. */
const NARROW = 60;
const TIME_CELLS = 7;
const PREVIEW_LINES = 3;

/** `0:07`, `12:34`, `1:02:03`. */
export function clockTime(elapsedMs: number): string {
  const total = Math.max(0, Math.floor(elapsedMs / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A block for a terminal: the sentence wrapped beside time and name, the beginning of its quote below. */
export function paragraph(block: Block, elapsedMs: number, { width, nameWidth, paint }: Layout): readonly string[] {
  const time = paint.faint(clockTime(elapsedMs).padStart(TIME_CELLS - 2));
  const narrow = width < NARROW;
  const indent = narrow ? 2 : TIME_CELLS + nameWidth + 2;
  const room = Math.max(10, width - indent);
  const sentence = (block.weight === "brief" ? [cut(block.text, room)] : wrap(block.text, room)).map((line) => paint[block.tone](line));
  const quote = block.quote === null ? [] : preview(block.quote, room - 2, PREVIEW_LINES).map((line) => paint.faint(`│ ${line}`));
  const name = block.who ?? "";
  const inset = (line: string): string => " ".repeat(indent) + line;
  if (narrow) return [`${time}  ${paint.strong(cut(name, room))}`.trimEnd(), ...[...sentence, ...quote].map(inset)];
  const [first = "", ...rest] = sentence;
  return [`${time}  ${paint.strong(pad(name, nameWidth))}  ${first}`, ...[...rest, ...quote].map(inset)];
}

/** A block as one line, for logs and pipes. */
export function oneLine(block: Block, elapsedMs: number, { width, paint }: Layout): string {
  const head = `${clockTime(elapsedMs)} ${block.who === null ? "" : `${paint.strong(block.who)} `}${paint[block.tone](block.text)}`;
  if (block.quote === null) return head;
  const room = Math.max(20, width - cells(head) - 2);
  return `${head}: ${cut(block.quote.replaceAll(/\s+/g, " ").trim(), room)}`;
}

/** The first lines of a text in at most `width` cells, blank lines left out; says how much is missing. */
export function preview(text: string, width: number, lines: number): readonly string[] {
  const all = wrap(text, width).filter((line) => line.trim() !== "");
  if (all.length <= lines) return all;
  return [...all.slice(0, lines), `… ${all.length - lines} more ${all.length - lines === 1 ? "line" : "lines"}`];
}
