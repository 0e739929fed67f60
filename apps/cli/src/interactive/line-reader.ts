import { createInterface, type Key } from "node:readline";
import { Transform } from "node:stream";
import type { LineReader, TypedLine } from "../io.js";
import { createPasteFilter, withBreaks, withoutBreaks } from "./paste.js";

const HISTORY_LINES = 1000;
const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/**
 * Lines from the terminal of this process, edited with Node's own editor: the arrows go through history (with something
 * typed, through what begins with it), Ctrl+R through what contains it. Reads end when `signal` aborts.
 */
export function openLineReader(history: readonly string[], signal: AbortSignal): LineReader {
  const { stdin } = process;
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  const filter = createPasteFilter();
  const typed = new Transform({ transform: (chunk: Buffer, _encoding, done) => done(null, filter(chunk)) });
  // The editor turns echo off and on through its input.
  const input = Object.assign(typed, { isTTY: stdin.isTTY, setRawMode: (mode: boolean) => stdin.setRawMode(mode) });
  const editor = createInterface({
    input,
    output,
    terminal: true,
    history: history.map(withoutBreaks),
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
  });
  /** The editor's own list, newest first: it has one at run time, in all versions of Node we run on, and no type says so. */
  const lines = (): string[] => (editor as unknown as { readonly history: string[] }).history;
  const waiting: TypedLine[] = [];
  let give: ((line: TypedLine) => void) | null = null;
  let isClosed = false;

  const put = (line: TypedLine): void => {
    // Several lines may come at once; only the first is what was waited for.
    const taker = give;
    give = null;
    if (taker === null) waiting.push(line);
    else taker(line);
  };
  editor.on("line", (text) => {
    // Whole texts are remembered by whoever knows where they end.
    if (lines()[0] === text) lines().shift();
    put({ is: "line", text: withBreaks(text) });
  });
  editor.on("close", () => put({ is: "end" }));
  editor.on("SIGINT", () => {
    const wasEmpty = editor.line === "";
    output.write("^C\n");
    clear();
    put({ is: "interrupt", wasEmpty });
  });
  const end = (): void => put({ is: "end" });
  signal.addEventListener("abort", end, { once: true });
  searchWith(input, () => editor.line, lines, replaceLine);
  rest();
  // Also between two reads: what is pasted while a turn runs is one text all the same.
  output.write(PASTE_ON);

  function clear(): void {
    editor.write(null, { ctrl: true, name: "e" });
    editor.write(null, { ctrl: true, name: "u" });
  }
  function replaceLine(text: string): void {
    clear();
    editor.write(text);
  }
  /** The terminal as programs find it; what is typed waits in it. */
  function rest(): void {
    stdin.unpipe(input);
    stdin.pause();
    editor.pause();
    if (stdin.isTTY) stdin.setRawMode(false);
  }
  function wake(prompt: string): void {
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.pipe(input, { end: false });
    editor.resume();
    editor.setPrompt(prompt);
    editor.prompt();
  }

  stdin.once("end", end);
  return {
    async read(prompt) {
      if (signal.aborted || isClosed) return { is: "end" };
      const next = waiting.shift();
      if (next !== undefined) return next;
      wake(prompt);
      try {
        return await new Promise<TypedLine>((resolve) => {
          give = resolve;
        });
      } finally {
        give = null;
        if (!isClosed) rest();
      }
    },
    remember(text) {
      const line = withoutBreaks(text);
      const at = lines().indexOf(line);
      if (at !== -1) lines().splice(at, 1);
      lines().unshift(line);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      signal.removeEventListener("abort", end);
      rest();
      output.write(PASTE_OFF);
      editor.close();
    },
  };
}

/** Ctrl+R: the newest line that contains what is typed; pressed again, the one before. */
function searchWith(input: Transform, current: () => string, history: () => readonly string[], show: (line: string) => void): void {
  let search: { readonly text: string; readonly from: number } | null = null;
  input.on("keypress", (_text: string | undefined, key: Key) => {
    if (key?.ctrl !== true || key.name !== "r") {
      search = null;
      return;
    }
    const { text, from } = search ?? { text: current(), from: 0 };
    const at = history().findIndex((line, index) => index >= from && line.includes(text));
    if (at === -1) return;
    show(history()[at] ?? "");
    search = { text, from: at + 1 };
  });
}
