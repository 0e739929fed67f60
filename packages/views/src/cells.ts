/** Columns a text takes on a terminal. Injected, because measuring wide characters needs tables this package does not carry. */
export type CellWidth = (text: string) => number;

/** One column per character: right for Latin text only. */
export const codePointWidth: CellWidth = (text) => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

let segmenter: Intl.Segmenter | undefined;
/** Made when it is first needed: it costs some milliseconds, and most programs that load this never cut a text. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** At most `width` cells; what is longer ends in `...`. Never splits a character as a reader sees it. */
export function fitCells(text: string, width: number, cellWidth: CellWidth): string {
  if (cellWidth(text) <= width) return text;
  const ending = ".".repeat(Math.min(3, width));
  let kept = "";
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += cellWidth(segment);
    if (used > width - ending.length) break;
    kept += segment;
  }
  return kept + ending;
}

export type Alignment = "left" | "center" | "right";

/** Exactly `width` cells: cut when longer, blanks added on the side that `align` leaves free. */
export function padCells(text: string, width: number, cellWidth: CellWidth, align: Alignment = "left"): string {
  const fitted = fitCells(text, width, cellWidth);
  const free = Math.max(0, width - cellWidth(fitted));
  if (align === "left") return fitted + " ".repeat(free);
  if (align === "right") return " ".repeat(free) + fitted;
  const before = Math.floor(free / 2);
  return " ".repeat(before) + fitted + " ".repeat(free - before);
}
