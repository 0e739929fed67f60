import { constants } from "node:os";
import type { ProcessResult } from "../process/start-process.js";
import { cleanText } from "./clean-text.js";

/** Characters of output a model gets inline; the frame around it keeps the whole below the dispatcher's 30 000. */
const INLINE_CHARACTERS = 29_000;

export interface DescribeOptions {
  readonly timeoutMs: number;
  /** How the spill file is called in front of the model; `null` without one. */
  readonly moreIn: string | null;
}

export interface Described {
  readonly text: string;
  readonly isError: boolean;
}

/** What a model reads of a finished command: how it ended, then what it printed, beginning and end. */
export function describeResult(result: ProcessResult, options: DescribeOptions): Described {
  const output = shownOutput(result, options.moreIn);
  const lines = [howItEnded(result, options), output === "" ? "(no output)" : output];
  if (result.survivors.length > 0) lines.push(`Processes that could not be ended: ${result.survivors.join(", ")}.`);
  return { text: lines.join("\n"), isError: result.endedBy !== "itself" };
}

function howItEnded(result: ProcessResult, options: DescribeOptions): string {
  const seconds = `${(result.wallMs / 1000).toFixed(1)} s`;
  switch (result.endedBy) {
    case "deadline":
      return `TOOL_TIMEOUT: the command was ended after its limit of ${options.timeoutMs / 1000} s, with everything it started. Give a longer timeout, or run it in the background.`;
    case "output_limit":
      return "OUTPUT_LIMIT: the command was ended because it printed more than it may. Send its output to a file, or through head or tail.";
    case "process_limit":
      return "PROCESS_LIMIT: the command was ended because it had more processes at once than it may.";
    case "abort":
    case "kill":
      return `The command was cancelled after ${seconds}.`;
    case "itself":
      if (result.signal !== null) return `ended by signal ${constants.signals[result.signal]} (${result.signal}) after ${seconds}`;
      return `exit code ${result.exitCode}${shellSignal(result.exitCode)} after ${seconds}`;
  }
}

/** Shells and sandboxes tell a signal as 128 and its number. */
function shellSignal(exitCode: number | null): string {
  if (exitCode === null || exitCode <= 128) return "";
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return name === undefined ? "" : ` (signal ${exitCode - 128}, ${name})`;
}

function shownOutput({ both }: ProcessResult, moreIn: string | null): string {
  const head = cleanText(both.head);
  const tail = cleanText(both.tail);
  if (both.omittedBytes === 0 && head.length <= INLINE_CHARACTERS) return head.replace(/\n+$/, "");
  const whole = both.omittedBytes === 0;
  const first = cutAt(head, Math.floor(INLINE_CHARACTERS * 0.6));
  const last = (whole ? head.slice(first.length) : tail).slice(-Math.floor(INLINE_CHARACTERS * 0.4)).replace(/^[\udc00-\udfff]/, "");
  const shownBytes = Buffer.byteLength(first) + Buffer.byteLength(last);
  const left = Math.max(0, both.totalBytes - shownBytes).toLocaleString("en-US");
  const where = moreIn === null ? "" : `; more of it in ${moreIn}`;
  return `${first}\n[... ${left} bytes left out${where} ...]\n${last.replace(/\n+$/, "")}`;
}

/** Never between the halves of a character. */
const cutAt = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
