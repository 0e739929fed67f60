/** What the screen needs of a terminal; tests bring one of their own. */
export interface TuiTerminal {
  write(text: string): void;
  columns(): number;
  rows(): number;
  /** Calls back with each piece of input as it comes. Keys arrive one by one, as bytes of the terminal. */
  onInput(listener: (data: string) => void): void;
  onResize(listener: () => void): void;
  /** The program was suspended and goes on; the terminal is taken over again, and everything has to be drawn. */
  onResume(listener: () => void): void;
  /** Raw mode on, and off again as it was before. */
  setRaw(on: boolean): void;
  /** Lets go of everything. Idempotent. */
  release(): void;
}

/** Alternate screen, no cursor, wheel of the mouse, pasted text in brackets. It is empty, and the first frame fills it. */
export const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?1000h\u001b[?1006h\u001b[?2004h";
/** The same, taken back; harmless when it was never set. */
export const LEAVE = "\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[?25h\u001b[0m\u001b[?1049l";
