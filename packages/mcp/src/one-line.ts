/** Control characters, and those that turn the direction of text or are not seen at all. */
const HIDDEN = /[\p{Cc}\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** A text of a server's as it may be shown to models and people: what is not seen is taken out, line breaks and tabs stay. */
export const visibleText = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(HIDDEN, (found) => (found === "\n" || found === "\t" ? found : ""));

/** Most texts hold nothing that could be hidden, and that is cheaper to see. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** The same on one line, at most so long. */
export function oneLine(text: string, maxChars = 300): string {
  const line = visibleText(text).replace(/\s+/g, " ").trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}

export const messageOf = (error: unknown): string => oneLine(error instanceof Error ? error.message : String(error));
