import type { HookResult } from "@massgen/contracts";
import { runProcess } from "@massgen/exec";
import type { HookEvent } from "./hook-event.js";
import { readDecision } from "./read-decision.js";

export interface CommandHook {
  /** A line for `/bin/sh`: it is the user's own. */
  readonly line: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Bytes of an answer; more is no decision. */
const LONGEST_ANSWER = 1024 * 1024;

/**
 * Asks a command: the event as JSON on its standard input; exit code 0 with a decision as JSON, or nothing, on its output;
 * 2 refuses with what it says on its error output. It and what it started end with `signal`.
 *
 * @throws Error for any other end
 */
export async function askCommand({ line, cwd, env }: CommandHook, event: HookEvent, signal: AbortSignal): Promise<HookResult> {
  const {
    exitCode,
    signal: killedBy,
    endedBy,
    stdout,
    stderr,
  } = await runProcess({
    argv: ["/bin/sh", "-c", line],
    cwd,
    env,
    stdin: `${JSON.stringify(event)}\n`,
    timeoutMs: null,
    signal,
    keepBytes: LONGEST_ANSWER,
    outputLimitBytes: 2 * LONGEST_ANSWER,
  });
  if (endedBy !== "itself") throw new Error(endedBy === "output_limit" ? "it printed more than 2 MiB" : "it was ended");
  const complaint = stderr.head.trim();
  if (exitCode === 2) return { decision: "deny", reason: complaint };
  if (exitCode !== 0)
    throw new Error(`${exitCode === null ? killedBy : `exit code ${exitCode}`}: ${complaint.split("\n")[0] || "no message"}`);
  return readDecision(parsed(stdout.head + stdout.tail));
}

function parsed(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`what it printed is no JSON: ${text.trim().slice(0, 80)}`);
  }
}
