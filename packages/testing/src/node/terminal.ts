import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface TerminalOptions {
  /** Default: the folder of the test process. */
  readonly cwd?: string;
  /** Everything the program finds in its environment besides `PATH`, `TERM`, and a UTF-8 locale. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default 80. */
  readonly columns?: number;
  /** Default 24. */
  readonly rows?: number;
}

export interface Waiting {
  /** Default 20,000: a machine under load stalls for seconds. */
  readonly timeoutMs?: number;
}

/** A program in a pseudo terminal, seen and driven as a person would. */
export interface Terminal {
  /** The program's process. */
  readonly pid: number;
  /** Presses keys by their tmux names, one after the other: `"Down"`, `"Enter"`, `"Escape"`, `"C-c"`, `"BSpace"`, `"M-Enter"`. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** Types the text letter by letter; it may hold anything, names of keys included. */
  readonly type: (text: string) => Promise<void>;
  /** Pastes the text at once, in brackets when the program asked for bracketed paste. */
  readonly paste: (text: string) => Promise<void>;
  /** What is on the screen, without trailing spaces and empty rows; with `history`, what has scrolled off as well. */
  readonly screen: (options?: { readonly history?: boolean; readonly colours?: boolean }) => Promise<string>;
  /**
   * The screen as soon as it holds `text` (history included).
   * Rejects with the last screen in the message after the deadline, or at once when the program has left without showing it.
   */
  readonly waitFor: (text: string | RegExp, waiting?: Waiting) => Promise<string>;
  /** The exit code, or 128 and the number of the signal that ended the program. The screen stays readable. Rejects with the screen after the deadline. */
  readonly waitForExit: (waiting?: Waiting) => Promise<number>;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** Ends the program, if it still runs, and removes everything of the terminal. May be called twice. */
  readonly close: () => Promise<void>;
}

/** Why no terminal can be opened here, for the name of a skipped test; `null` when one can. */
export function terminalMissing(): string | null {
  return spawnSync("tmux", ["-V"]).status === 0 ? null : "tmux is not installed";
}

const DEADLINE_MS = 20_000;
const LOOK_AGAIN_MS = 40;

// No row is spent on a status line, and Escape is not held back.
const CONFIG = `set -g status off
set -g default-terminal "xterm-256color"
set -g history-limit 20000
set -s escape-time 0
`;

// A shell around the program keeps the terminal open when the program has left. It tells the exit code as the title of the
// terminal, which comes after everything the program wrote. (tmux itself at times misses the end of a process.)
const TITLE = "the program left with ";
const KEEP_OPEN = `trap : INT QUIT; sh -c 'echo $$ >"$0"; exec "$@"' "$@"; printf '\\033\\\\\\033]2;${TITLE}%s\\007' $?; exec sleep 86400`;

/**
 * Starts a command (program and arguments, no shell) in a terminal of its own, on a tmux server of its own.
 * The caller owns it: `close` it in `afterEach`. Needs tmux, see `terminalMissing`.
 */
export async function openTerminal(command: readonly string[], options: TerminalOptions = {}): Promise<Terminal> {
  const { cwd = process.cwd(), columns = 80, rows = 24 } = options;
  const folder = await mkdtemp(join(tmpdir(), "terminal-"));
  const path = (name: string): string => join(folder, name);
  await writeFile(path("tmux.conf"), CONFIG);
  const env = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", LC_ALL: "C.UTF-8", ...options.env };
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run("tmux", ["-u", "-S", path("socket"), "-f", path("tmux.conf"), ...args], { env, maxBuffer: 64 << 20 })).stdout;
  const removeAll = async (): Promise<void> => {
    await tmux("kill-server").catch(() => {}); // it may be gone already
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const size = ["-x", String(columns), "-y", String(rows)];
    await tmux("new-session", "-d", ...size, "-c", cwd, "--", "sh", "-c", KEEP_OPEN, "terminal", path("pid"), ...command);
    const pid = await readPid(path("pid"));
    const seen = watch(tmux);
    const endProgram = async (): Promise<void> => {
      if ((await seen.left()) !== null) return;
      process.kill(pid, "SIGKILL"); // it may ignore that its terminal goes away
      await seen.waitForExit();
    };
    const close = (): Promise<void> =>
      endProgram()
        .catch(() => {})
        .then(removeAll);
    return { pid, close, ...drive(tmux), screen: seen.screen, waitFor: seen.waitFor, waitForExit: seen.waitForExit };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

async function readPid(file: string): Promise<number> {
  for (const endsAtMs = performance.now() + DEADLINE_MS; performance.now() < endsAtMs; await sleep(LOOK_AGAIN_MS)) {
    const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
    if (pid > 0) return pid;
  }
  throw new Error(`tmux did not start the program within ${DEADLINE_MS} ms.`);
}

type Tmux = (...args: readonly string[]) => Promise<string>;

function drive(tmux: Tmux): Pick<Terminal, "press" | "type" | "paste" | "resize"> {
  return {
    press: async (...keys) => {
      await tmux("send-keys", "--", ...keys);
    },
    type: async (text) => {
      await tmux("send-keys", "-l", "--", text);
    },
    paste: async (text) => {
      await tmux("set-buffer", "--", text);
      await tmux("paste-buffer", "-p", "-r");
    },
    resize: async (columns, rows) => {
      await tmux("resize-window", "-x", String(columns), "-y", String(rows));
    },
  };
}

function watch(tmux: Tmux): Pick<Terminal, "screen" | "waitFor" | "waitForExit"> & { readonly left: () => Promise<number | null> } {
  const screen: Terminal["screen"] = async ({ history = false, colours = false } = {}) => {
    const text = await tmux("capture-pane", "-p", ...(history ? ["-S", "-"] : []), ...(colours ? ["-e"] : []));
    return text.replaceAll(/[ \t]+$/gm, "").trimEnd();
  };
  const left = async (): Promise<number | null> => {
    const title = (await tmux("display-message", "-p", "#{pane_title}")).trim();
    return title.startsWith(TITLE) ? Number(title.slice(TITLE.length)) : null;
  };
  return {
    left,
    screen,
    waitFor: async (text, { timeoutMs = DEADLINE_MS } = {}) => {
      const holds = (seen: string): boolean => (typeof text === "string" ? seen.includes(text) : text.test(seen));
      for (const endsAtMs = performance.now() + timeoutMs; ; await sleep(LOOK_AGAIN_MS)) {
        const ended = await left(); // before the look, so that the last words of a program count
        const seen = await screen({ history: true });
        if (holds(seen)) return seen;
        const shown = `${text instanceof RegExp ? String(text) : JSON.stringify(text)} in:\n${seen}`;
        if (ended !== null) throw new Error(`The program left with ${ended} without showing ${shown}`);
        if (performance.now() > endsAtMs) throw new Error(`Waited ${timeoutMs} ms for ${shown}`);
      }
    },
    waitForExit: async ({ timeoutMs = DEADLINE_MS } = {}) => {
      for (const endsAtMs = performance.now() + timeoutMs; ; await sleep(LOOK_AGAIN_MS)) {
        const ended = await left();
        if (ended !== null) return ended;
        if (performance.now() > endsAtMs) throw new Error(`The program still runs after ${timeoutMs} ms. Its screen:\n${await screen()}`);
      }
    },
  };
}
