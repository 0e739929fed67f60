import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunSummary } from "@massgen/client";
import type { Recorded } from "@massgen/contracts";
import { decisionsIn, isLogInUse, type LogEntry, readLogEntry, readRunView, turnFolders } from "@massgen/logs";
import { decideLogged, loggedReview } from "../review/logged-review.js";
import { folderArtefacts } from "./artefacts.js";
import type { RunEntry } from "./run-entry.js";
import { startOfLog, type TeamPlaces } from "./team-of-log.js";

/** Between two looks at a log that another process writes. */
const LOOK_MS = 1_000;

export interface Surroundings extends TeamPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/** A run of the folder of logs, by its name and, with a dot, the number of a turn. `null` when there is no such log. */
export async function openLoggedRun(base: string, id: string, around: Surroundings): Promise<RunEntry | null> {
  const [, name, turn] = /^(log_[\w-]+)(?:\.([1-9]\d{0,5}))?$/.exec(id) ?? [];
  return name === undefined ? null : openLog({ root: join(base, name), turn: turn === undefined ? null : Number(turn), id }, around);
}

interface LogOfRun {
  readonly root: string;
  /** `null`: the newest. */
  readonly turn: number | null;
  readonly id: string;
}

/** A run as its log tells it: over, or at work in another process. `null` when there is no log. */
export async function openLog({ root, turn, id }: LogOfRun, { env, stopping, ...places }: Surroundings): Promise<RunEntry | null> {
  if (!(await isFolder(root))) return null;
  const turns = await turnFolders(root);
  const chosen = turn === null ? turns.at(-1) : turns.find((one) => one.turn === turn);
  if (chosen === undefined) return null;
  return {
    id,
    artefacts: folderArtefacts(chosen.folder),
    view: () => readRunView(chosen.folder),
    summary: async () => ({ ...summaryOfLog(await readLogEntry(root), id), ...(await startOfLog(chosen.folder, places)) }),
    events: (after, signal) => readEvents(chosen.folder, root, after, signal),
    answerNow: () => Promise.resolve(false),
    cancel: () => Promise.resolve(false),
    sendInput: () => Promise.resolve(false),
    answerRequest: () => Promise.resolve(false),
    review: () => loggedReview(chosen.folder, env),
    decideReview: (decision) => decideLogged(chosen.folder, decision, env, stopping),
  };
}

export const summaryOfLog = (entry: LogEntry, id: string = basename(entry.folder)): RunSummary => ({
  id,
  state: entry.state,
  question: entry.question,
  agents: [...entry.agents],
  winner: entry.winner,
  startedAtMs: entry.startedAt === null ? null : entry.startedAt * 1000,
  durationMs: entry.seconds === null ? null : entry.seconds * 1000,
  costUsd: entry.costUsd,
  tokens: entry.inputTokens === null || entry.outputTokens === null ? null : { input: entry.inputTokens, output: entry.outputTokens },
  sessionId: null,
  model: null,
  simulated: entry.simulated,
});

/** Everything that is in the log, and as long as somebody writes it what is added. */
async function* readEvents(folder: string, root: string, after: number, signal: AbortSignal): AsyncGenerator<Recorded> {
  let last = after;
  for (;;) {
    // Asked before reading, so that nothing written in between is missed.
    const isWritten = await isLogInUse(root);
    for await (const decision of decisionsIn(folder)) {
      for (const record of decision) {
        if (signal.aborted) return;
        if (record.seq <= last) continue;
        last = record.seq;
        yield record;
        if (record.type === "run_finished") return;
      }
    }
    if (!isWritten) return;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
