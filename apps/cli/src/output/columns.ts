import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Letters of Europe, punctuation and box drawing without combining marks: one cell each. The library takes 40 ms to begin. */
const NARROW = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u257f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no cells
const COLOURS = /\u001b\[[\d;]*m/g;

/** Terminal cells of a text without control characters but our own colours; wide characters count two. */
export function cells(text: string): number {
  const plain = text.includes("\u001b") ? text.replaceAll(COLOURS, "") : text;
  return NARROW.test(plain) ? plain.length : stringWidth(plain);
}

/** `text` in at most `width` cells; what is cut ends in `…`. */
export function cut(text: string, width: number): string {
  if (cells(text) <= width) return text;
  const head = take(text, width - 1);
  return cells(head) < width ? `${head}…` : "…";
}

/** The end of `text` in at most `width` cells; what is cut begins with `…`. */
export function cutStart(text: string, width: number): string {
  // A tail of this many characters is always wide enough, and keeps long streams cheap.
  const tail = text.slice(-4 * width);
  if (tail.length === text.length && cells(text) <= width) return text;
  const parts = [...graphemes.segment(tail)].map((part) => part.segment);
  let from = parts.length;
  let used = 1;
  while (from > 0) {
    const next = cells(parts[from - 1] ?? "");
    if (used + next > width) break;
    used += next;
    from--;
  }
  return `…${parts.slice(from).join("")}`;
}

/** `text` filled up with blanks to `width` cells, cut where it is longer. */
export function pad(text: string, width: number): string {
  const short = cut(text, width);
  return short + " ".repeat(Math.max(0, width - cells(short)));
}

/** The lines of `text` in at most `width` cells each, broken between words where possible. Line breaks of the text stay. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.replaceAll("\t", "    "), Math.max(1, width)));
}

/** Blanks and the mark of a list item; the lines below an item stand under its text. */
const BEFORE_TEXT = /^ *(?:(?:[-*+•]|\d{1,3}[.)]) +)?/;

function wrapLine(line: string, width: number): readonly string[] {
  if (cells(line) <= width) return [line.trimEnd()];
  const found = BEFORE_TEXT.exec(line)?.[0] ?? "";
  const before = found.length <= width - 10 ? found : "";
  const indent = " ".repeat(before.length);
  const lines: string[] = [];
  let row = before;
  let isFresh = true;
  for (const word of line.slice(before.length).trim().split(/\s+/)) {
    const longer = isFresh ? row + word : `${row} ${word}`;
    if (cells(longer) <= width) {
      row = longer;
      isFresh = false;
      continue;
    }
    if (!isFresh) lines.push(row);
    row = (isFresh ? row : indent) + word;
    isFresh = false;
    while (cells(row) > width) {
      const head = take(row, width);
      lines.push(head);
      row = indent + row.slice(head.length);
    }
  }
  return [...lines, row];
}

/**
 * A text of a model for a terminal: prose is broken between words, what is laid out by hand (code, tables) stays as it is.
 * Markdown is not rendered.
 */
export function wrapProse(text: string, width: number): readonly string[] {
  let isCode = false;
  return text.split("\n").flatMap((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || /^\s*\||^ {4}|^\t/.test(line) ? [line] : wrap(line, width);
  });
}

/** The beginning of `text` in at most `width` cells, but at least one character, so that callers always get on. */
function take(text: string, width: number): string {
  let used = 0;
  let taken = "";
  for (const { segment } of graphemes.segment(text)) {
    used += cells(segment);
    if (used > width && taken !== "") break;
    taken += segment;
  }
  return taken;
}
