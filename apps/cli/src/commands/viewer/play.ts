import type { Recorded, RunEvent } from "@massgen/contracts";
import { emptyRunView, foldRecord, type RunView, resultReport } from "@massgen/views";
import type { Screen } from "../../output/screen.js";
import type { Pace } from "./pace.js";

export interface PlayOptions {
  readonly screen: Screen;
  readonly pace: Pace;
  /** Folder of the log; `null` for lines that came through a pipe. */
  readonly folder: string | null;
  /** Asked with the first event. */
  readonly isSimulated: () => boolean;
  /** Attempts before this one pass at once. */
  readonly fromAttempt: number;
  readonly signal: AbortSignal;
}

/**
 * Shows a log on a screen of a run. What only reports activity passes by and is not kept, so that a log of a million events
 * takes no more memory than its facts. Gives what it came to.
 */
export async function play(decisions: AsyncIterable<readonly Recorded[]>, options: PlayOptions): Promise<RunView> {
  const { screen, pace, folder, isSimulated, fromAttempt, signal } = options;
  let view = emptyRunView;
  let calls = 0;
  for await (const decision of decisions) {
    for (const record of decision) {
      if (view.state.attempt >= fromAttempt) await pace.until(record.at);
      if (signal.aborted) return view;
      if (record.type === "run_started")
        screen.begin({ question: record.question, logDirectory: folder, statusFile: null, simulated: isSimulated() });
      if (record.type === "llm_call" && (record.status === "finished" || record.status === "failed")) calls += 1;
      if (!isKept(record)) {
        screen.event(passing(record));
        continue;
      }
      view = foldRecord(view, record);
      screen.event(record);
    }
  }
  end(view, calls, options);
  return view;
}

/** Calls and tools are many and change nothing of a run; a call that is tried again has its line on the screens. */
const isKept = (record: Recorded): boolean =>
  record.type !== "tool_start" && record.type !== "tool_complete" && (record.type !== "llm_call" || record.status === "retrying");

/** Without its number a record is one of the passing events, which screens show and do not fold. */
function passing(record: Recorded): RunEvent {
  const { seq: _seq, ...event } = record;
  // The one place where a fact goes to a screen as a delta: screens tell the two by `seq`.
  return event as unknown as RunEvent;
}

function end(view: RunView, calls: number, { screen, folder }: PlayOptions): void {
  const report = resultReport(view);
  if (report.status === null) return;
  screen.end({
    durationMs: (view.lastAt ?? 0) - (view.startedAt ?? 0),
    outputFile: null,
    calls,
    result: {
      ...report,
      status: report.status,
      exitCode: report.exitCode ?? 2,
      answers: report.answers.map((answer) => ({ ...answer, path: null })),
      logDirectory: folder,
      finalDirectory: null,
      finalAnswerPath: null,
      attemptDirectory: folder,
      attempts: view.pastAttempts.length + 1,
      sessionId: "",
      durationMs: (view.lastAt ?? 0) - (view.startedAt ?? 0),
      message: view.finished?.message ?? null,
      changes: null,
    },
  });
}
