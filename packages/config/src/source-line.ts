import type { SourceSpan } from "./issue.js";
import { printable } from "./printable.js";
import { maskLine } from "./secrets.js";

/** Columns a line may fill; longer ones are cut around the place in question. */
const WIDTH = 100;

/**
 * The line of the file and a row of carets under the place, aligned on a terminal:
 * two rows without the line number. Secrets are starred, control characters shown as �.
 */
export function sourceRows(lines: readonly string[], span: SourceSpan): readonly [line: string, carets: string] {
  const raw = (lines[span.line - 1] ?? "").replace(/\r$/, "");
  const shown = printable(maskLine(raw.slice(0, 2_000)));
  const start = Math.min(span.column - 1, shown.length);
  const from = start > WIDTH - 20 ? start - 40 : 0;
  const line = shown.slice(from, from + WIDTH);
  const before = line.slice(0, start - from);
  const marked = shown.slice(start, Math.min(start + span.length, from + WIDTH));
  return [line.trimEnd(), `${" ".repeat(widthOf(before))}${"^".repeat(Math.max(1, widthOf(marked.trimEnd())))}`];
}

/** Terminal columns: most of East Asia and emoji take two, marks none. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mark}/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
