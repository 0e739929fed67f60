import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { visibleLine, visibleText } from "@massgen/views";

/** Foreign text on one line of at most `width` cells; what is cut ends in `…`. */
export const lineOf = (text: string, width: number): string => cut(visibleLine(text), width);

/** Our own line, colours included, in at most `width` cells. */
export function cut(text: string, width: number): string {
  if (width <= 0) return "";
  const cells = narrowCells(text);
  if (cells !== null && cells <= width) return text;
  return cells === text.length ? `${text.slice(0, width - 1)}…` : truncateToWidth(text, width, "…");
}

/** The same, filled with blanks to exactly `width` cells. */
export function filled(text: string, width: number): string {
  if (width <= 0) return "";
  const cells = narrowCells(text);
  if (cells !== null && cells <= width) return text + " ".repeat(width - cells);
  return cells === text.length ? `${text.slice(0, width - 1)}…` : truncateToWidth(text, width, "…", true);
}

export const cellsOf = (text: string): number => narrowCells(text) ?? visibleWidth(text);

/**
 * Cells of a line in which every character takes one, colours none; `null` where that is not sure. Nearly all lines are such,
 * and finding letters that belong together is most of what a frame would cost (`tui.cpu`).
 */
export function narrowCells(text: string): number | null {
  if (!NARROW.test(text)) return null;
  return text.includes("\u001b") ? text.replaceAll(COLOUR, "").length : text.length;
}

// Letters of the West, marks of punctuation, arrows, boxes and the signs of states.
const NARROW =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  /^(?:[ -~\u00a1-\u00ac\u00ae-\u024f\u2010-\u2015\u2018-\u2026\u2190-\u2193\u21bb\u2500-\u259f\u25b8\u25cb\u25cf\u2605\u2713\u2717]|\u001b\[[\d;]*m)*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /\u001b\[[\d;]*m/g;

/** Foreign text as lines of at most `width` cells, broken between words where that is possible. */
export function linesOf(text: string, width: number): readonly string[] {
  const wide = Math.max(1, width);
  return visibleText(text)
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, wide)));
}

/** Our own line, colours included, as lines of at most `width` cells. */
export const wrapped = (line: string, width: number): readonly string[] =>
  line === "" ? [""] : wrapTextWithAnsi(line, Math.max(1, width));

/** Two texts at the ends of one line; the left one gives way, and the right one goes where hardly any of it would be left. */
export function ends(left: string, right: string, width: number): string {
  const room = width - cellsOf(right);
  return room < 8 && left !== "" ? filled(left, width) : filled(left, room) + right;
}

/** `rows` of exactly `height`: cut at the end, or filled with empty ones. */
export const block = (rows: readonly string[], height: number): readonly string[] =>
  rows.length >= height ? rows.slice(0, Math.max(0, height)) : [...rows, ...Array.from({ length: height - rows.length }, () => "")];

/** Two blocks side by side with a rule between them. */
export function beside(
  left: readonly string[],
  right: readonly string[],
  leftWidth: number,
  rightWidth: number,
  rule: string,
): readonly string[] {
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, index) => `${filled(left[index] ?? "", leftWidth)} ${rule} ${cut(right[index] ?? "", rightWidth)}`,
  );
}
