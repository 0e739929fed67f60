import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Terminal cells of a text without control characters; wide characters count two. */
export const cells = (text: string): number => stringWidth(text);

/** `text` in at most `width` cells; what is cut ends in `…`. */
export function cut(text: string, width: number): string {
  if (cells(text) <= width) return text;
  return `${take(text, width - 1)}…`;
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

function wrapLine(line: string, width: number): readonly string[] {
  if (cells(line) <= width) return [line.trimEnd()];
  const indent = (/^ */.exec(line)?.[0] ?? "").slice(0, Math.max(0, width - 10));
  const lines: string[] = [];
  let row = indent;
  for (const word of line.trim().split(/\s+/)) {
    const fits = cells(row) + cells(word) + (row.trim() === "" ? 0 : 1) <= width;
    if (fits) {
      row = row.trim() === "" ? indent + word : `${row} ${word}`;
      continue;
    }
    if (row.trim() !== "") lines.push(row);
    row = indent + word;
    while (cells(row) > width) {
      const head = take(row, width);
      lines.push(head);
      row = indent + row.slice(head.length);
    }
  }
  return [...lines, row];
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
