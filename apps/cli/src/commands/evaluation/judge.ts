import { type ChildProcess, spawn } from "node:child_process";
import type { Question, Verdict } from "@massgen/evaluation";
import { personalEnvironment } from "@massgen/exec";
import type { Io } from "../../io.js";

export interface JudgeOptions {
  /** As the user would type it: the shell reads it. Never from a data set. */
  readonly command: string;
  readonly timeoutMs: number;
  /** Names of keys and tokens it may have. */
  readonly passthrough: readonly string[];
}

/** How much of what a judge says on stderr is kept. */
const KEPT = 2000;

/**
 * Asks the judge about one answer: `{id, question, expected, answer}` as JSON on its standard input, without a word about who
 * answered. Exit code 0 is right, 1 is wrong, anything else, silence past the limit included, is no verdict. Runs in the
 * folder of the program; what it started ends with it.
 */
export function askJudge(
  { command, timeoutMs, passthrough }: JudgeOptions,
  { id, text, check }: Question,
  answer: string,
  io: Pick<Io, "cwd" | "env">,
  signal: AbortSignal,
): Promise<Verdict> {
  const expected = check.grade === "judge" ? check.expected : null;
  return new Promise((resolve) => {
    // A group of its own, so that what the shell starts can be ended with it.
    const isGroup = process.platform !== "win32";
    const env = personalEnvironment(io.env, passthrough);
    const child = spawn(command, { cwd: io.cwd, env, shell: true, detached: isGroup, stdio: ["pipe", "ignore", "pipe"] });
    let said = "";
    let why: string | null = null;
    const stop = (reason: string): void => {
      why ??= reason;
      end(child, isGroup);
    };
    const timer = setTimeout(() => stop(`no verdict within ${timeoutMs / 1000} s`), timeoutMs);
    const interrupted = (): void => stop("it was interrupted");
    signal.addEventListener("abort", interrupted, { once: true });
    const settle = (verdict: Verdict): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupted);
      resolve(verdict);
    };
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      said = (said + part).slice(-KEPT);
    });
    // A judge that does not read its input may still have a verdict.
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify({ id, question: text, expected, answer })}\n`);
    child.once("error", (error) => settle({ is: "unknown", why: error.message }));
    child.once("exit", (code, killer) => {
      if (why !== null) return settle({ is: "unknown", why });
      if (code === 0 || code === 1) return settle({ is: code === 0 ? "right" : "wrong" });
      const last = said.trim().split("\n").at(-1) ?? "";
      settle({ is: "unknown", why: `${killer === null ? `exit code ${code}` : `ended by ${killer}`}${last === "" ? "" : `: ${last}`}` });
    });
    if (signal.aborted) interrupted();
  });
}

function end(child: ChildProcess, isGroup: boolean): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
