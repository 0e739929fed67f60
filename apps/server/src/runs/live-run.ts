import { basename, join } from "node:path";
import type { RunSummary } from "@massgen/client";
import type { RunEvent } from "@massgen/contracts";
import type { FinishedRun, PreparedRun, RunningRun } from "@massgen/sdk";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import { liveReview } from "../review/live-review.js";
import type { ReviewDesk } from "../review/review-desk.js";
import { folderArtefacts } from "./artefacts.js";
import { type RunEntry, unknownAgent } from "./run-entry.js";
import { stateOf } from "./run-state.js";
import { startableName } from "./team-of-log.js";
import type { WaitingRequests } from "./waiting-requests.js";

export interface LiveRun extends RunEntry {
  /** Settled when everything of the run is on the disk. */
  readonly finished: Promise<FinishedRun>;
  /** Resolves when its conversation, if it is of one, may go on; whatever became of the run. */
  readonly kept: Promise<void>;
  readonly isLogged: boolean;
  /** Names the log that the turns of its conversation share; a run by itself goes by this name already. */
  readonly logName: string | null;
  /** Resolves when its changes wait for a decision; `null` when nobody is asked. */
  readonly reviewOpened: Promise<void> | null;
}

export interface Beginning {
  readonly prepared: PreparedRun;
  readonly question: string;
  readonly sessionId: string | null;
  /** What the request called its team. */
  readonly model: string;
  /** Its number in the conversation; `null` for a run by itself. */
  readonly turn: number | null;
  readonly stop: AbortController;
  /** `null`: nobody is asked. */
  readonly requests: WaitingRequests | null;
  /** `null`: nobody reviews what is changed. */
  readonly desk: ReviewDesk | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Lets go of its conversation, once the turn is kept. */
  readonly close: () => Promise<void>;
}

/** A run of this process, from its first step on. */
export function startLiveRun(beginning: Beginning): LiveRun {
  const { prepared, question, sessionId, model, turn, stop, requests, desk, env, close } = beginning;
  const id = idOf(beginning);
  const running = prepared.start();
  const startedAtMs = Date.now();
  let finished: FinishedRun | null = null;
  running.finished.then(
    (result) => {
      finished = result;
    },
    () => {},
  );
  const kept = running.finished
    .catch(() => {})
    .then(close)
    // What the disk did not take is lost with or without a word: a run that is over has nobody left to tell.
    .catch(() => {});
  const reviewOpened = desk?.opened() ?? null;
  let view: RunView = emptyRunView;
  void follow(running, (next) => {
    view = next(view);
  });

  const { logDirectory, redact } = prepared;
  const folder = logDirectory === null || turn === null ? logDirectory : join(logDirectory, `turn_${turn}`);
  const isOver = (): boolean => view.state.status !== null;
  const changes = liveReview({ desk, finished: running.finished, folder, redact, env, isOver });

  return {
    id,
    artefacts: folderArtefacts(folder),
    isLogged: folder !== null,
    logName: logDirectory === null ? null : basename(logDirectory),
    finished: running.finished,
    kept,
    reviewOpened,
    answerNow: (reason) => running.answerNow(reason),
    async cancel(reason) {
      if (finished !== null || stop.signal.aborted) return false;
      stop.abort(new Error(reason));
      return true;
    },
    sendInput(text, agent) {
      if (agent === null) return running.send(text);
      const team = prepared.config.agents.map(({ id }) => id);
      if (!team.includes(agent)) throw unknownAgent(agent, team);
      return running.send(text, { agent });
    },
    answerRequest: (requestId, reply) => Promise.resolve(requests?.answer(requestId, reply) ?? false),
    review: () => changes.review(),
    decideReview: (decision) => changes.decide(decision),
    view: () => Promise.resolve(view),
    summary: () => Promise.resolve(summaryOf()),
    async *events(after, signal) {
      for await (const event of until(signal, running)) if (!("seq" in event) || event.seq > after) yield cleaned(event, prepared.redact);
      // Who is told that it is over finds its files, and its conversation free. A person who reviews them may take their time.
      await Promise.race([kept, reviewOpened ?? kept, aborted(signal)]);
    },
  };

  function summaryOf(): RunSummary {
    const { spent, order, status, decision } = view.state;
    return {
      id,
      question: prepared.redact(question),
      sessionId,
      model: startableName(model),
      startedAtMs,
      simulated: false,
      state: status === null ? "running" : (changes.state() ?? stateOf(status)),
      agents: order.length > 0 ? [...order] : prepared.config.agents.map(({ id }) => id),
      winner: decision?.winner ?? null,
      // By the facts once it is over: closing its files is no part of the run.
      durationMs: (status === null ? Date.now() : (view.lastAt ?? startedAtMs)) - startedAtMs,
      costUsd: spent.costUsd,
      tokens: { input: spent.inputTokens, output: spent.outputTokens },
    };
  }
}

/** Ends with the signal, also while nothing comes. */
async function* until<T>(signal: AbortSignal, source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const end = aborted(signal);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), end]);
      if (next === null || next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not waited for: a reader that is asked to stop while it waits does so with the next event.
    void iterator.return?.();
  }
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });

/** Folds facts as they come; that the run broke is told by `finished`. */
async function follow(running: RunningRun, change: (next: (view: RunView) => RunView) => void): Promise<void> {
  try {
    for await (const event of running) if ("seq" in event) change((view) => foldRecord(view, event));
  } catch {
    // The same error rejects `finished`.
  }
}

/** The name of its log, with the number of the turn where it is one of a conversation; without a log the number of the run. */
const idOf = ({ prepared: { logDirectory, runId }, turn }: Beginning): string =>
  logDirectory === null ? runId : turn === null ? basename(logDirectory) : `${basename(logDirectory)}.${turn}`;

/** Serialised once for all who watch. */
const cleanedEvents = new WeakMap<RunEvent, RunEvent>();

function cleaned(event: RunEvent, redact: (text: string) => string): RunEvent {
  const known = cleanedEvents.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  const clean = redact(text);
  const result = clean === text ? event : (JSON.parse(clean) as RunEvent);
  cleanedEvents.set(event, result);
  return result;
}
