/**
 * Foreign text as it may reach a terminal: control characters and direction marks are shown, never obeyed.
 *
 * Tab and newline stay, a carriage return before a newline goes. Works character by character, so a sequence that is split
 * over two pieces of a stream is harmless too. Files keep the text as it came (docs/spec/cli.md 9).
 *
 * @example visibleText("\u001b[31mred") // => "␛[31mred"
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(FOREIGN, (character) => shown(character.codePointAt(0) ?? 0));
}

/** The same on one line: runs of white space become one blank. */
export const visibleLine = (text: string): string => visibleText(text.replaceAll(/\s+/g, " ").trim());

/** The same on one line with every line break as `\\n`: for lines of automation, which hold one fact each. */
export const escapedLine = (text: string): string => visibleText(text).replaceAll("\n", "\\n");

/** JSON of `value` on one line that no terminal obeys: what `JSON.stringify` lets through is written as `\uXXXX`. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(FOREIGN, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

// C0 without tab and newline, DEL, C1, the marks and overrides of writing direction, and line and paragraph separators.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const FOREIGN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function shown(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
