import { writeSync } from "node:fs";
import { LEAVE, type TuiTerminal } from "./terminal.js";

/** The terminal of this process. Whatever ends the process, the terminal is given back. */
export function processTerminal({ stdin, stdout }: Pick<NodeJS.Process, "stdin" | "stdout"> = process): TuiTerminal {
  const wasRaw = stdin.isRaw === true;
  let onData: ((data: Buffer) => void) | null = null;
  let onResize: (() => void) | null = null;
  let isReleased = false;
  const onExit = (): void => {
    // No event loop any more: written at once or not at all.
    if (isReleased) return;
    try {
      writeSync(1, LEAVE);
      if (stdin.isTTY) stdin.setRawMode(wasRaw);
    } catch {
      // The terminal is gone.
    }
  };
  process.on("exit", onExit);
  return {
    write: (text) => void stdout.write(text),
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    onInput(listener) {
      onData = (data) => listener(data.toString("utf8"));
      stdin.on("data", onData);
    },
    onResize(listener) {
      onResize = listener;
      stdout.on("resize", listener);
    },
    setRaw(on) {
      if (stdin.isTTY) stdin.setRawMode(on ? true : wasRaw);
      if (on) stdin.resume();
      else stdin.pause();
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      process.off("exit", onExit);
      if (onData !== null) stdin.off("data", onData);
      if (onResize !== null) stdout.off("resize", onResize);
    },
  };
}
