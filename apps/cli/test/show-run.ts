import type { RunEvent } from "@massgen/contracts";
import type { FinishedRun } from "@massgen/sdk";
import { emptyRunView, foldRecord, resultReport } from "@massgen/views";
import type { RunEnd, RunStart, Screen } from "../src/output/screen.js";

/** A sink that keeps what is written. */
export function keepingSink(columns = 100): {
  readonly sink: { write: (text: string) => void; isTerminal: false; columns: () => number; rows: () => number };
  readonly text: () => string;
} {
  let kept = "";
  return {
    sink: {
      write: (text) => {
        kept += text;
      },
      isTerminal: false,
      columns: () => columns,
      rows: () => 24,
    },
    text: () => kept,
  };
}

export const LOG = "/logs/log_20260102_101530_000000";

export const startOfRun = (question: string, more: Partial<RunStart> = {}): RunStart => ({
  question,
  logDirectory: LOG,
  statusFile: `${LOG}/status.json`,
  simulated: false,
  ...more,
});

/** How the run of these records ended, with a log folder that is not there. */
export function endOfRun(events: readonly RunEvent[], durationMs = 19_400, more: Partial<RunEnd> = {}): RunEnd {
  const records = events.filter((event) => "seq" in event);
  const report = resultReport(records.reduce(foldRecord, emptyRunView));
  const end = records.findLast((record) => record.type === "run_finished");
  const result: FinishedRun = {
    ...report,
    status: report.status ?? "error",
    exitCode: report.exitCode ?? 2,
    answers: report.answers.map((answer) => ({ ...answer, path: null })),
    logDirectory: LOG,
    changes: null,
    attemptDirectory: LOG,
    finalDirectory: report.finalAnswer === null ? null : `${LOG}/final`,
    finalAnswerPath: report.finalAnswer === null ? null : `${LOG}/final/${report.winner}/answer.txt`,
    attempts: 1,
    sessionId: "log_20260102_101530_000000",
    durationMs,
    message: end?.message ?? null,
  };
  return { result, durationMs, outputFile: null, ...more };
}

/** Shows a run from its first event to its end. */
export function show(
  screen: Screen,
  events: readonly RunEvent[],
  start: RunStart = startOfRun("Which cache policy fits?"),
  end: RunEnd = endOfRun(events),
): void {
  screen.begin(start);
  for (const event of events) screen.event(event);
  screen.end(end);
}
