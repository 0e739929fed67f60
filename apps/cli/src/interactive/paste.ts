const BEGIN = "\u001b[200~";
const END = "\u001b[201~";
/** Stands for a line break on the one line that is edited; what is typed becomes one again when it is sent. */
const BREAK = "\u240a";

export const withBreaks = (line: string): string => line.replaceAll(BREAK, "\n");
export const withoutBreaks = (text: string): string => text.replaceAll("\n", BREAK);

/**
 * What a terminal sends, with pasted texts as one line: their line breaks do not send it. Bytes go in as they come, sequences
 * may be cut anywhere between two calls.
 */
export function createPasteFilter(): (chunk: Buffer) => Buffer {
  let kept = "";
  let isPasting = false;
  let wasReturn = false;

  return (chunk) => {
    // One character for every byte, so that letters of several bytes pass unharmed.
    let rest = kept + chunk.toString("latin1");
    let out = "";
    for (;;) {
      const mark = isPasting ? END : BEGIN;
      const at = rest.indexOf(mark);
      if (at === -1) break;
      out += pass(rest.slice(0, at));
      rest = rest.slice(at + mark.length);
      isPasting = !isPasting;
      wasReturn = false;
    }
    const open = beginOf(isPasting ? END : BEGIN, rest);
    kept = rest.slice(rest.length - open);
    return Buffer.from(out + pass(rest.slice(0, rest.length - open)), "latin1");
  };

  function pass(text: string): string {
    if (!isPasting) return text;
    let out = "";
    for (const char of text) {
      if (char === "\n" ? !wasReturn : char === "\r") out += LATIN_BREAK;
      else if (char === "\t") out += "    ";
      else if (char >= " " && char !== "\u007f") out += char;
      wasReturn = char === "\r";
    }
    return out;
  }
}

const LATIN_BREAK = Buffer.from(BREAK).toString("latin1");

/** How much of `mark` the end of the text may be the beginning of; a lone Escape is a key and waits for nothing. */
function beginOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 1; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
