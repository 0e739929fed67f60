import { lineEndOf } from "./text-content.js";

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type Replaced =
  | { readonly type: "replaced"; readonly text: string; readonly count: number; readonly lines: readonly number[] }
  | { readonly type: "absent" }
  /** `lines` are those where the matches begin, counted from 1. */
  | { readonly type: "ambiguous"; readonly lines: readonly number[] };

/**
 * Replaces an exact text that occurs once, or every occurrence when asked. Line ends of any style match each other and
 * nothing else is forgiven. Everything outside the matches stays byte for byte; line ends of the new text take the
 * style of the place they come to. The new text is taken letter for letter, `$&` included.
 */
export function replaceText(text: string, { oldText, newText, replaceAll }: Replacement): Replaced {
  const wanted = toLf(oldText);
  const plain = toLf(text);
  const starts = occurrences(plain, wanted);
  if (starts.length === 0) return { type: "absent" };
  // Places that overlap are places all the same: which of them is meant, only the caller knows.
  const places = occurrences(plain, wanted, 1);
  if (places.length > 1 && !replaceAll) return { type: "ambiguous", lines: lineNumbers(plain, places) };
  const lines = lineNumbers(plain, starts);
  const original = offsetsOf(text);
  const inserted = toLf(newText);
  const pieces: string[] = [];
  let from = 0;
  for (const start of starts) {
    const begin = original(start);
    pieces.push(text.slice(from, begin), inLineEnd(inserted, lineEndAt(text, begin)));
    from = original(start + wanted.length);
  }
  pieces.push(text.slice(from));
  return { type: "replaced", text: pieces.join(""), count: starts.length, lines };
}

export const toLf = (text: string): string => text.replaceAll("\r\n", "\n");

/** Starts of the matches; none overlaps another unless the next may begin `step` characters on. */
function occurrences(text: string, wanted: string, step: number = wanted.length): readonly number[] {
  const starts: number[] = [];
  if (wanted === "") return starts;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) starts.push(at);
  return starts;
}

function lineNumbers(text: string, offsets: readonly number[]): readonly number[] {
  const numbers: number[] = [];
  let line = 1;
  let at = 0;
  for (const offset of offsets) {
    for (let end = text.indexOf("\n", at); end !== -1 && end < offset; end = text.indexOf("\n", at)) {
      line++;
      at = end + 1;
    }
    numbers.push(line);
  }
  return numbers;
}

/** From an offset in the text with LF ends to the offset in the text as it is. Asked in rising order. */
function offsetsOf(text: string): (plain: number) => number {
  let plainAt = 0;
  let at = 0;
  return (plain) => {
    for (;;) {
      const end = text.indexOf("\r\n", at);
      const span = end === -1 ? Number.POSITIVE_INFINITY : end - at;
      if (plain - plainAt <= span) return at + (plain - plainAt);
      plainAt += span + 1;
      at = end + 2;
    }
  };
}

/** The line end in force at a place: of its own line, else of the one before, else the file's. */
function lineEndAt(text: string, at: number): "\r\n" | "\n" {
  const next = text.indexOf("\n", at);
  const end = next === -1 ? text.lastIndexOf("\n", at) : next;
  if (end === -1) return lineEndOf(text) ?? "\n";
  return end > 0 && text[end - 1] === "\r" ? "\r\n" : "\n";
}

const inLineEnd = (text: string, lineEnd: "\r\n" | "\n"): string => (lineEnd === "\n" ? text : text.replaceAll("\n", "\r\n"));
