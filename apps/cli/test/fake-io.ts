import { PassThrough, Readable } from "node:stream";
import type { Io } from "../src/io.js";

export interface FakeIo {
  readonly io: Io;
  readonly out: () => string;
  readonly err: () => string;
  readonly interrupt: () => void;
}

export interface FakeIoOptions {
  readonly cwd: string;
  /** `null`: standard input is a terminal. */
  readonly stdin?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  /** What the person types when asked. Default: nothing. */
  readonly answer?: string;
  /** As `answer`, question by question. */
  readonly typed?: readonly string[];
}

/** A process that is none: what the program writes is kept, nobody's environment is read. */
export function fakeIo({ cwd, stdin = null, env = {}, isTerminal = false, answer, typed = [] }: FakeIoOptions): FakeIo {
  const interrupt = new AbortController();
  const kept = { out: "", err: "" };
  const sink = (name: "out" | "err"): Io["out"] => ({
    write: (text) => {
      kept[name] += text;
    },
    isTerminal,
    columns: () => 100,
    rows: () => 30,
  });
  const lines = [...typed];
  const io: Io = {
    out: sink("out"),
    err: sink("err"),
    stdinIsTerminal: stdin === null,
    readStdin: () => Promise.resolve(stdin ?? ""),
    lines: async function* () {
      yield* (stdin ?? "").split("\n");
    },
    wire: { stdin: Readable.from([stdin ?? ""]), stdout: new PassThrough() },
    ask: (question) => {
      kept.err += question;
      return Promise.resolve(lines.shift() ?? answer ?? null);
    },
    readKey: null,
    env: { HOME: cwd, ...env },
    cwd,
    monotonic: () => performance.now(),
    every: () => () => {},
    interrupt: interrupt.signal,
    onInterrupt: () => () => {},
    openLines: () => Promise.reject(new Error("nobody sits here")),
    edit: () => Promise.resolve(false),
    requestInterrupt: () => interrupt.abort(new Error("interrupted")),
    allowSlowEnd: () => {},
    outputIsLost: () => false,
    version: "1.2.3",
  };
  return { io, out: () => kept.out, err: () => kept.err, interrupt: () => interrupt.abort(new Error("interrupted")) };
}
