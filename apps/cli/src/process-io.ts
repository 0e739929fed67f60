import type { Io, Sink } from "./io.js";

export interface ProcessIo {
  readonly io: Io;
  /** Waits until all text is handed over, then ends the process. */
  readonly exit: (code: number) => Promise<never>;
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A run saves its state within five seconds of an interrupt; a process that has not ended by then is stuck. */
const PATIENCE_MS = 10_000;

/** The real process behind `Io`, with its signals and its pipes that may close at any time. */
export function createProcessIo(version: string): ProcessIo {
  const interrupt = new AbortController();
  let patienceMs = PATIENCE_MS;
  let outputIsLost = false;
  let outputFault: string | null = null;

  const stop = (): void => {
    if (interrupt.signal.aborted) process.exit(4);
    interrupt.abort(new Error("interrupted"));
    setTimeout(() => process.exit(4), patienceMs).unref();
  };
  const listening: (() => "handled" | "leave")[] = [];
  const pressed = (): void => {
    const heard = listening.at(-1);
    if (heard === undefined) stop();
    else if (heard() === "leave") process.exit(4);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, signal === "SIGINT" ? pressed : stop);

  // Nobody reads any more: the run is stopped in order, nothing is said. Other faults, such as a full disk, are said.
  const lost = (error: NodeJS.ErrnoException): void => {
    outputIsLost = true;
    if (error.code !== "EPIPE" && outputFault === null) {
      outputFault = error.code ?? error.message;
      process.stderr.write(`massgen: error: cannot write to standard output (${outputFault})\n`);
    }
    if (!interrupt.signal.aborted) interrupt.abort(new Error("standard output is closed"));
  };
  const io: Io = {
    out: openSink(process.stdout, lost),
    err: openSink(process.stderr, () => {}),
    stdinIsTerminal: process.stdin.isTTY === true,
    readStdin,
    lines: stdinLines,
    wire: { stdin: process.stdin, stdout: process.stdout },
    ask: (question, signal) => askPerson(question, signal === undefined ? interrupt.signal : AbortSignal.any([interrupt.signal, signal])),
    readKey: process.stdin.isTTY === true ? readKey : null,
    env: process.env,
    cwd: process.cwd(),
    monotonic: () => performance.now(),
    every: (ms, callback) => {
      const timer = setInterval(callback, ms);
      timer.unref();
      return () => clearInterval(timer);
    },
    requestInterrupt: pressed,
    interrupt: interrupt.signal,
    onInterrupt: (heard) => {
      listening.push(heard);
      return () => {
        listening.splice(listening.indexOf(heard), 1);
      };
    },
    openLines: async (history, editor) =>
      editor === undefined
        ? (await import("./interactive/line-reader.js")).openLineReader(history, interrupt.signal)
        : (await import("./interactive/prompt-reader.js")).openPromptReader(history, interrupt.signal, editor),
    edit: async (file) => (await import("./interactive/edit.js")).editFile(file),
    allowSlowEnd: (ms) => {
      patienceMs = ms;
    },
    outputIsLost: () => outputIsLost,
    version,
  };
  const exit = async (code: number): Promise<never> => {
    await Promise.all([drained(process.stdout), drained(process.stderr)]);
    process.exit(outputFault !== null && (code === 0 || code === 4) ? 2 : code);
  };
  return { io, exit };
}

function openSink(stream: NodeJS.WriteStream, lost: (error: NodeJS.ErrnoException) => void): Sink {
  let open = true;
  stream.on("error", (error) => {
    if (!open) return;
    open = false;
    lost(error);
  });
  const wished = Number(process.env["COLUMNS"]);
  const wish = Number.isInteger(wished) && wished > 0 ? wished : null;
  return {
    write: (text) => {
      if (open) stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    // In a terminal more columns than there are would break rows that are drawn again in place.
    columns: () => (stream.isTTY ? Math.min(wish ?? 10_000, stream.columns || 80) : (wish ?? 140)),
    rows: () => (stream.isTTY ? stream.rows || 24 : 24),
  };
}

async function* stdinLines(): AsyncGenerator<string> {
  const { createInterface } = await import("node:readline");
  yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}

async function askPerson(question: string, signal: AbortSignal): Promise<string | null> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
    return await Promise.race([lines.question(question, { signal }), closed]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  } finally {
    lines.close();
  }
}

async function readStdin(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/** In this mode the terminal sends Ctrl-C as a key: it is made the signal that it stands for. */
function readKey(signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      stdin.off("data", take);
      signal.removeEventListener("abort", giveUp);
      stdin.setRawMode(false);
      stdin.pause();
    };
    const take = (data: Buffer): void => {
      end();
      const key = data.toString("utf8");
      if (key === "\u0003") process.kill(process.pid, "SIGINT");
      resolve(key);
    };
    const giveUp = (): void => {
      end();
      reject(new Error("nobody waits for a key any more"));
    };
    if (signal.aborted) return reject(new Error("nobody waits for a key any more"));
    signal.addEventListener("abort", giveUp, { once: true });
    stdin.setRawMode(true);
    stdin.on("data", take);
    stdin.resume();
  });
}

/** Resolves when the stream has nothing left to write, or can write no more; at most a second later. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.writable || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
    setTimeout(resolve, 1000).unref();
  });
}
