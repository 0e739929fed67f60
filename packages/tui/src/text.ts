import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { visibleLine, visibleText } from "@massgen/views";

/** Foreign text on one line of at most `width` cells; what is cut ends in `…`. */
export const lineOf = (text: string, width: number): string => cut(visibleLine(text), width);

/** Our own line, colours included, in at most `width` cells. */
export const cut = (text: string, width: number): string => (width <= 0 ? "" : truncateToWidth(text, width, "…"));

/** The same, filled with blanks to exactly `width` cells. */
export const filled = (text: string, width: number): string => (width <= 0 ? "" : truncateToWidth(text, width, "…", true));

export const cellsOf = (text: string): number => visibleWidth(text);

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
