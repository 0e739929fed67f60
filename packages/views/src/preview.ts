/**
 * The first `codePoints` characters of a text. Never splits a surrogate pair (EC49), and reads no more of the text than it
 * needs. `ending` is put behind a text that was cut.
 */
export function preview(text: string, codePoints: number, ending = ""): string {
  if (text.length <= codePoints) return text;
  let end = 0;
  for (let count = 0; count < codePoints && end < text.length; count++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return end >= text.length ? text : text.slice(0, end) + ending;
}

/** The text on one line for people: runs of blanks, line breaks and control characters (terminal escapes) become one blank. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** A quotation for a sentence: one line, at most `codePoints` characters, an ellipsis where it was cut. */
export function excerpt(text: string, codePoints: number): string {
  // Cut first, so that a question of a megabyte costs no more than a short one.
  const head = preview(text, codePoints * 4);
  const line = oneLine(head);
  const cut = preview(line, codePoints, "…");
  return cut === line && head !== text ? `${line}…` : cut;
}
