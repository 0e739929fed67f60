import { runSummary } from "@massgen/views";
import type { LogRecord } from "../read-turn.js";

/** `_session_manifest.json`: what an export holds, and which turns and attempts it has. */
export function manifestOf(log: LogRecord, files: readonly { readonly path: string; readonly bytes: number }[], now: number): string {
  const turns = log.turns.map(({ turn, view }) => {
    const { question, finish_reason, winner, attempts, duration_seconds } = runSummary(view);
    return { turn, question, finish_reason, winner, attempts, duration_seconds };
  });
  const manifest = {
    version: 1,
    log: log.name,
    ...(log.simulated ? { simulated: true } : {}),
    exported_at: now / 1000,
    turns,
    files: files.map(({ path, bytes }) => ({ path, bytes })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
