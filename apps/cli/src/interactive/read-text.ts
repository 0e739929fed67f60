import { joinLines, type PendingLines } from "@massgen/views";
import type { Io, LineReader } from "../io.js";

/** What came of asking for a text. `end`: Ctrl+D, or the terminal is gone. `leave`: two Ctrl+C. */
export type TypedText = { readonly is: "text"; readonly text: string } | { readonly is: "end" } | { readonly is: "leave" };

/** The last Ctrl+C, at the prompt or in a turn; two within two seconds leave. */
export interface Interrupts {
  lastMs: number;
}

const TWICE_MS = 2000;

/** Notes a Ctrl+C; true for the second one. */
export function isSecond(interrupts: Interrupts, nowMs: number): boolean {
  const isSoon = nowMs - interrupts.lastMs <= TWICE_MS;
  interrupts.lastMs = nowMs;
  return isSoon;
}

/** Reads a text of one or more lines. */
export async function readText(lines: LineReader, interrupts: Interrupts, io: Io): Promise<TypedText> {
  let pending: PendingLines | null = null;
  for (;;) {
    const typed = await lines.read(pending === null ? "> " : "… ");
    if (typed.is === "end") return { is: "end" };
    if (typed.is === "interrupt") {
      const isIdle = typed.wasEmpty && pending === null;
      pending = null;
      if (isSecond(interrupts, io.monotonic())) return { is: "leave" };
      if (isIdle) io.err.write("Ctrl+C again leaves, and so do Ctrl+D and /quit\n");
      continue;
    }
    const joined = joinLines(pending, typed.text);
    if (joined.is === "whole") return { is: "text", text: joined.text };
    pending = joined.pending;
  }
}
