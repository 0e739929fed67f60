// C0 without tab and newline, DEL, C1, marks and overrides of direction, zero-width characters, line and paragraph separators.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Text of a file with its invisible commands made visible: `\u{1b}[2J`. Carriage returns too. */
export const showText = (text: string): string => text.replace(HIDDEN, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);

/** A file's name on one line, escaped the same way. */
export const showName = (name: string): string => showText(name).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
