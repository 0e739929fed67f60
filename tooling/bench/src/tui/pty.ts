import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";

/** A program in a pseudo terminal of its own: what it writes comes here, what is typed goes there. */
export interface Pty {
  /** Resolves with the moment (`performance.now`) at which `text` had come, counted from what comes after the call. */
  readonly saw: (text: string) => Promise<number>;
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The end of what came. */
  readonly said: () => string;
  /** Resolves when the program has left. */
  readonly ended: Promise<void>;
  /** Ends it, whatever it does. */
  readonly close: () => Promise<void>;
}

export interface PtyOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd?: string;
}

/** Why none can be opened here; `null` when one can. */
export const noPty: string | null =
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0 ? null : "it needs Linux and script (util-linux)";

const PATIENCE_MS = 30_000;

export function openPty(command: readonly string[], { columns, rows, cwd = tmpdir() }: PtyOptions): Pty {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qefc", `stty cols ${columns} rows ${rows}; exec ${quoted}`, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, LANG: "C.UTF-8", TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Set<(text: string) => void>();
  let end = "";
  let tty: string | null = null;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    end = (end + text).slice(-2_000);
    for (const hear of waiting) hear(text);
  });
  child.stdin.on("error", () => {});
  let isOver = false;
  const ended = once(child, "exit").then(() => {
    isOver = true;
  });
  return {
    ended,
    said: () => end,
    type: (keys) => void child.stdin.write(keys),
    saw(text) {
      return new Promise((resolve, reject) => {
        let seen = "";
        const done = (): void => {
          waiting.delete(hear);
          clearTimeout(timer);
        };
        const hear = (more: string): void => {
          seen = seen.slice(-text.length) + more;
          if (!seen.includes(text)) return;
          done();
          resolve(performance.now());
        };
        const timer = setTimeout(() => {
          done();
          reject(new Error(`${command.join(" ")} did not show ${JSON.stringify(text)} within ${PATIENCE_MS} ms.`));
        }, PATIENCE_MS);
        waiting.add(hear);
      });
    },
    resize(wide, high) {
      tty ??= ttyBelow(child.pid ?? 0);
      const { status, stderr } = spawnSync("stty", ["-F", tty, "cols", String(wide), "rows", String(high)], { encoding: "utf8" });
      if (status !== 0) throw new Error(`The size of ${tty} could not be changed: ${stderr}`);
    },
    async close() {
      if (!isOver) {
        for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, "SIGKILL");
        child.kill("SIGKILL");
      }
      await ended;
    },
  };
}

/** The terminal of the program that `script` runs. */
function ttyBelow(pid: number): string {
  const [below] = childrenOf(pid);
  if (below === undefined) throw new Error("The program in the terminal has left.");
  return readlinkSync(`/proc/${below}/fd/0`);
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  const listed = stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number(line)]));
  return listed.filter((one) => readdirSync("/proc").includes(String(one)));
}
