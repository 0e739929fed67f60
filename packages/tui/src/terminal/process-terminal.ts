import { writeSync } from "node:fs";
import { ENTER, LEAVE, type TuiTerminal } from "./terminal.js";

const CTRL_Z = 0x1a;

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
  let onResumed: (() => void) | null = null;
  // Like every other program the screen makes room for the shell; the run itself stands still meanwhile.
  const suspend = (): void => {
    writeSync(1, LEAVE);
    if (stdin.isTTY) stdin.setRawMode(wasRaw);
    process.once("SIGCONT", () => {
      if (isReleased) return;
      if (stdin.isTTY) stdin.setRawMode(true);
      stdout.write(ENTER);
      onResumed?.();
    });
    process.kill(process.pid, "SIGSTOP");
  };
  process.on("SIGTSTP", suspend);
  return {
    write: (text) => void stdout.write(text),
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    onInput(listener) {
      // Raw mode gives Ctrl+Z as a key.
      onData = (data) => (data.length === 1 && data[0] === CTRL_Z ? suspend() : listener(data.toString("utf8")));
      stdin.on("data", onData);
    },
    onResize(listener) {
      onResize = listener;
      stdout.on("resize", listener);
    },
    onResume(listener) {
      onResumed = listener;
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
      process.off("SIGTSTP", suspend);
      if (onData !== null) stdin.off("data", onData);
      if (onResize !== null) stdout.off("resize", onResize);
    },
  };
}
