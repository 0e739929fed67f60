import type { Readable, Writable } from "node:stream";

/** Where text goes. `write` never throws; a closed pipe is noticed by whoever opened it. */
export interface Sink {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
}

/** `interrupt`: Ctrl+C, which has cleared what was typed; `wasEmpty`: there was nothing to clear. */
export type TypedLine =
  | { readonly is: "line"; readonly text: string }
  | { readonly is: "interrupt"; readonly wasEmpty: boolean }
  | { readonly is: "end" };

/** How an editor of whole texts looks, and where it looks for files. */
export interface EditorLook {
  readonly theme: "dark" | "light" | "contrast" | "none";
  /** Where relative paths behind `@` begin. */
  readonly cwd: string;
}

/** Lines a person types. Between two reads the terminal is as it was before, and what is typed then comes with the next. */
export interface LineReader {
  readonly read: (prompt: string) => Promise<TypedLine>;
  /** Adds a text of one or more lines to what can be gone back to. */
  readonly remember: (text: string) => void;
  /** Gives the terminal back. */
  readonly close: () => void;
}

/** All that the program touches of its process; tests bring their own. */
export interface Io {
  readonly out: Sink;
  readonly err: Sink;
  readonly stdinIsTerminal: boolean;
  /** All of standard input, once. */
  readonly readStdin: () => Promise<string>;
  /** Standard input line by line, as it comes; instead of `readStdin`. */
  readonly lines: () => AsyncIterable<string>;
  /** Standard input and output themselves, for a protocol that owns both. */
  readonly wire: { readonly stdin: Readable; readonly stdout: Writable };
  /** Puts a question to the person at the terminal and gives the line that is typed; `null` when none comes, or `signal` aborts. */
  readonly ask: (question: string, signal?: AbortSignal) => Promise<string | null>;
  /** One key, or what was pasted, not shown; rejects when `signal` aborts. `null` where standard input is no terminal. */
  readonly readKey: ((signal: AbortSignal) => Promise<string>) | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Milliseconds on a clock that never jumps. */
  readonly monotonic: () => number;
  /** Calls back every `ms` until the returned function is called; keeps no process alive. */
  readonly every: (ms: number, callback: () => void) => () => void;
  /** As if the person had pressed Ctrl+C: in raw mode the terminal does not say it. */
  readonly requestInterrupt: () => void;
  /** Aborted by the first interrupt, or when standard output can take no more. */
  readonly interrupt: AbortSignal;
  /** After an interrupt the process may take this long to end, milliseconds; more than a run needs. */
  readonly allowSlowEnd: (ms: number) => void;
  /**
   * Until what it gives back is called, an interrupt from the keyboard is told to `heard` and not to `interrupt`. `leave`: the
   * program ends at once with 4.
   */
  readonly onInterrupt: (heard: () => "handled" | "leave") => () => void;
  /** Reads lines from the terminal that is standard input, with `history` (newest first) to go back to; with `editor` whole texts. */
  readonly openLines: (history: readonly string[], editor?: EditorLook) => Promise<LineReader>;
  /** Opens a file in the user's editor and waits until it is closed; `false` without one. */
  readonly edit: (file: string) => Promise<boolean>;
  readonly outputIsLost: () => boolean;
  readonly version: string;
}
