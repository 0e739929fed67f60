import type { TuiTerminal } from "../src/index.js";

export interface FakeTerminal {
  readonly terminal: TuiTerminal;
  readonly written: string[];
  readonly raw: boolean[];
  readonly type: (data: string) => void;
}

export function fakeTerminal(columns = 80, rows = 24): FakeTerminal {
  const written: string[] = [];
  let input: (data: string) => void = () => {};
  const raw: boolean[] = [];
  const terminal: TuiTerminal = {
    write: (text) => void written.push(text),
    columns: () => columns,
    rows: () => rows,
    onInput: (listener) => {
      input = listener;
    },
    onResize: () => {},
    onResume: () => {},
    setRaw: (on) => void raw.push(on),
    release: () => {},
  };
  return { terminal, written, raw, type: (data: string) => input(data) };
}
