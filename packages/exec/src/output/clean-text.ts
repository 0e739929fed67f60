/** Commands to a terminal: OSC, DCS and their like up to their end, CSI, and two-character escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const SEQUENCES = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
/** Control characters but tab and line end, C1, and marks that turn or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

const LONGEST_LINE = 2_000;

/**
 * Output of a command as a model may read it and a terminal may show it: without commands to the terminal, of a line that
 * was drawn over and over only what was drawn last, and long lines cut (docs/spec/tools.md 4.2).
 */
export function cleanText(text: string): string {
  return text.replace(SEQUENCES, "").replaceAll("\r\n", "\n").split("\n").map(cleanLine).join("\n");
}

function cleanLine(line: string): string {
  const drawn = line.includes("\r") ? (line.split("\r").findLast((part) => part !== "") ?? "") : line;
  const clean = drawn.replace(CONTROLS, "");
  return clean.length <= LONGEST_LINE ? clean : `${clean.slice(0, LONGEST_LINE)} [+${clean.length - LONGEST_LINE} characters]`;
}
