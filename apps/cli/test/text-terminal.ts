import type { Sink } from "../src/io.js";

/** A terminal as far as the live screen needs one: text, line feeds, cursor up, clear to the end. Refuses everything else. */
export interface TextTerminal extends Sink {
  readonly lines: () => readonly string[];
  readonly raw: () => string;
  resize: (columns: number, rows?: number) => void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is about control characters
const TOKEN = /\u001b\[\?2026[hl]|\u001b\[(\d+)A|\u001b\[J|\u001b\[[\d;]*m|\r|\n|[^\u001b\r\n]+|\u001b/gu;

export function textTerminal(columns = 80, rows = 24): TextTerminal {
  let screen: string[] = [""];
  let row = 0;
  let raw = "";
  let width = columns;
  let height = rows;
  const write = (text: string): void => {
    raw += text;
    for (const match of text.matchAll(TOKEN)) {
      const [token, up] = match;
      if (token === "\n") {
        row++;
        screen[row] ??= "";
      } else if (up !== undefined) row = Math.max(0, row - Number(up));
      else if (token === "\u001b[J") screen = screen.slice(0, row + 1).map((line, index) => (index === row ? "" : line));
      else if (token === "\u001b") throw new Error(`unexpected control sequence: ${JSON.stringify(text)}`);
      else if (!token.startsWith("\u001b") && token !== "\r") screen[row] += token;
    }
  };
  return {
    write,
    isTerminal: true,
    columns: () => width,
    rows: () => height,
    lines: () => screen,
    raw: () => raw,
    resize: (columns, rows = height) => {
      width = columns;
      height = rows;
    },
  };
}
