import { MassgenError } from "@massgen/contracts";
import type { Attempt } from "@massgen/evaluation";
import { type FinishedRun, type LogSettings, prepareRun, type RunPlan } from "@massgen/sdk";
import type { RunTelemetry } from "@massgen/telemetry";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import type { Session } from "../../session.js";

export interface Asking {
  readonly plan: Omit<RunPlan, "signal" | "logs">;
  readonly signal: AbortSignal;
  /** `null`: no log is kept. */
  readonly logs: LogSettings | null;
  /** `null`: nobody measures. */
  readonly telemetry: RunTelemetry | null;
}

/**
 * One run, from its question to what came of it. `null`: it was cancelled.
 *
 * @throws MassgenError when it cannot even begin: a key that is missing, a folder that cannot be written
 */
export async function askContender({ plan, signal, logs, telemetry }: Asking, session: Session): Promise<Attempt | null> {
  const prepared = await prepareRun({ ...plan, signal, logs });
  guard(session, prepared.redact);
  let view: RunView = emptyRunView;
  const startedMs = performance.now();
  try {
    const running = prepared.start();
    for await (const event of running) {
      if (!("seq" in event)) continue;
      view = foldRecord(view, event);
      telemetry?.record(event);
    }
    const finished = await running.finished;
    return signal.aborted ? null : attemptOf(finished, view, prepared.redact);
  } catch (error) {
    if (signal.aborted) return null;
    const message = error instanceof Error ? error.message : String(error);
    // What a run that broke had cost by then is not known for certain.
    const { inputTokens, outputTokens } = view.state.spent;
    const calls = view.state.spending.calls;
    return {
      answer: null,
      error: prepared.redact(MassgenError.is(error) ? message : `internal error: ${message}`),
      status: null,
      costUsd: null,
      inputTokens,
      outputTokens,
      calls,
      durationMs: performance.now() - startedMs,
      log: prepared.logDirectory,
    };
  } finally {
    telemetry?.end();
  }
}

function attemptOf(finished: FinishedRun, { state }: RunView, redact: (text: string) => string): Attempt {
  const { finalAnswer, message, status, usage, durationMs, logDirectory } = finished;
  return {
    answer: finalAnswer === null ? null : redact(finalAnswer),
    error: finalAnswer === null ? redact(message ?? `the run ended without an answer (${status})`) : null,
    status,
    costUsd: usage.estimatedCost,
    inputTokens: usage.promptTokens,
    outputTokens: usage.completionTokens,
    calls: state.spending.calls,
    durationMs,
    log: logDirectory,
  };
}

/** Each run knows secrets of its own; what is written passes all of them. */
function guard(session: Session, redact: (text: string) => string): void {
  const before = session.redact;
  session.redact = (text) => redact(before(text));
}
