import { rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { AgentId, RunEvent, SnapshotRef } from "@massgen/contracts";
import type { Coordination, Outcome } from "@massgen/core";
import type { FinishedLog, RunLog } from "@massgen/logs";
import { emptyRunView, foldRecord, type RunView, resultReport } from "@massgen/views";
import type { ChangesReport } from "./delivery/report.js";
import type { FinishedRun } from "./result.js";

/** A run that is over and whose log is complete, while the folders of its agents are still there. */
export interface RunEnd {
  readonly view: RunView;
  /** Absolute: the files that came with the answer; `null` without any. */
  readonly delivered: string | null;
}

export interface Following {
  readonly log: RunLog | null;
  /** Aborted when the caller's own function fails. */
  readonly stop: AbortController;
  readonly onEvent?: (event: RunEvent) => void;
  /** Copies the files of the result to a folder of the log. */
  /** Whoever keeps what came of it; may name the conversation it belongs to. Never rejects. */
  readonly onEnd?: (end: RunEnd) => Promise<{ readonly sessionId?: string }>;
  readonly deliver?: (presenter: AgentId, snapshot: SnapshotRef | null, folder: string) => Promise<void>;
  /** Copies the files of an answer to a folder that is not there yet. */
  readonly copy?: (snapshot: SnapshotRef, folder: string) => Promise<void>;
  /** Brings what the presenter changed in the user's files, or not. */
  readonly settleChanges?: (subject: ChangesSubject) => Promise<ChangesReport | null>;
}

interface ChangesSubject {
  readonly presenter: AgentId;
  /** The final answer; "" without one. */
  readonly answer: string;
  /** It came to the end of presenting. */
  readonly isPresented: boolean;
  /** Folder of the result in the log; `null` without one. */
  readonly folder: string | null;
}

/** Keeps the record of a run up to its end and gives the result once everything is on disk. */
export async function followRun(run: Coordination, following: Following): Promise<FinishedRun> {
  const { log } = following;
  const startedMs = performance.now();
  try {
    const { view, presented } = await watch(run, following);
    const outcome = await run.outcome;
    const files = log === null ? null : await log.finish({ status: outcome.status, message: outcome.message });
    await deliverFiles(view, log, files, following.deliver);
    await keepAnswerFiles(view, log, files, following.copy);
    const sessionId = log === null ? run.runId : basename(log.root);
    const finished = { ...resultOf(view, outcome, log, files), durationMs: performance.now() - startedMs, sessionId };
    const named = await following.onEnd?.({ view, delivered: await deliveredIn(files) });
    // Last: it may wait for a person.
    return { ...finished, ...named, changes: await settle(view, presented, files, following) };
  } catch (error) {
    await log?.finish({ status: "error", message: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

/** Follows the run to its end, also when the caller's own function fails. */
async function watch(
  run: Coordination,
  { log, stop, onEvent }: Following,
): Promise<{ readonly view: RunView; readonly presented: Presented | null }> {
  let view = emptyRunView;
  let presented: Presented | null = null;
  let fault: { readonly error: unknown } | null = null;
  for await (const event of run) {
    if ("seq" in event) view = foldRecord(view, event);
    if (event.type === "presentation_finished") presented = event;
    log?.watch(event);
    if (fault !== null) continue;
    try {
      onEvent?.(event);
    } catch (error) {
      fault = { error };
      stop.abort(new Error("onEvent failed"));
    }
  }
  if (fault !== null) throw fault.error;
  return { view, presented };
}

type Presented = Extract<RunEvent, { type: "presentation_finished" }>;

/** The result of the library call, from the facts and from where they were written. */
function resultOf(
  view: RunView,
  outcome: Outcome,
  log: RunLog | null,
  files: FinishedLog | null,
): Omit<FinishedRun, "durationMs" | "sessionId" | "changes"> {
  const report = resultReport(view);
  const finalAnswerPath = files?.finalAnswerPath ?? null;
  return {
    ...report,
    status: outcome.status,
    finalAnswer: outcome.finalAnswer,
    winner: outcome.winner,
    winnerLabel: outcome.winnerLabel,
    answers: report.answers.map((answer) => ({ ...answer, path: files?.answerPaths.get(answer.label) ?? null })),
    logDirectory: log?.root ?? null,
    finalDirectory: finalAnswerPath === null ? null : dirname(dirname(finalAnswerPath)),
    finalAnswerPath,
    attempts: view.state.attempt,
    attemptDirectory: files?.leaf ?? null,
    timedOut: outcome.status === "timeout",
    exitCode: outcome.exitCode,
    message: outcome.message,
  };
}

/** The files of every answer beside its text (docs/spec/logs.md 4.3); of an answer without files there is no folder. */
async function keepAnswerFiles(view: RunView, log: RunLog | null, files: FinishedLog | null, copy: Following["copy"]): Promise<void> {
  if (copy === undefined || files === null) return;
  for (const { label, by, snapshot } of view.state.answers) {
    const path = files.answerPaths.get(label);
    if (path === undefined || snapshot === null) continue;
    const folder = join(dirname(path), WORKSPACE);
    try {
      await copy(snapshot, folder);
      // Refused unless it is empty.
      await rmdir(folder).catch(() => {});
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log?.log("warning", "files", by, `the files of ${label} could not be copied to the log: ${why}`);
    }
  }
}

async function settle(
  { state }: RunView,
  presented: Presented | null,
  files: FinishedLog | null,
  { settleChanges }: Following,
): Promise<ChangesReport | null> {
  const path = files?.finalAnswerPath ?? null;
  const presenter = presented?.agent ?? state.decision?.winner ?? state.order[0];
  if (settleChanges === undefined || presenter === undefined) return null;
  // An answer that is final as it is, as that of a single agent, has no presentation that could break off.
  const isPresented = presented !== null && (presented.fallback === null || presented.fallback === "skipped");
  return settleChanges({ presenter, answer: state.finalAnswer ?? "", isPresented, folder: path === null ? null : dirname(path) });
}

/** The files of the result beside its text; that they cannot be copied is told and changes nothing else. */
async function deliverFiles(view: RunView, log: RunLog | null, files: FinishedLog | null, deliver: Following["deliver"]): Promise<void> {
  const { decision, finalSnapshot } = view.state;
  if (deliver === undefined || log === null || files === null || decision === null) return;
  try {
    for (const folder of files.finalFolders) await deliver(decision.winner, finalSnapshot, join(folder, WORKSPACE));
  } catch (error) {
    log.log(
      "warning",
      "files",
      decision.winner,
      `the files of the result could not be copied: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const WORKSPACE = "workspace";

async function deliveredIn(files: FinishedLog | null): Promise<string | null> {
  const [own] = files?.finalFolders ?? [];
  if (own === undefined) return null;
  const folder = join(own, WORKSPACE);
  return stat(folder).then(
    () => folder,
    () => null,
  );
}
