import type { LoadedConfig } from "@massgen/config";
import { MassgenError, type RunEvent } from "@massgen/contracts";
import type { HistoryMessage } from "@massgen/core";
import type { SessionTurn } from "@massgen/logs";
import { failure } from "../failure.js";
import { assembleRun, newRunId, type PreparedRun, type RunPlan } from "../prepare-run.js";
import type { FinishedRun, RunResult } from "../result.js";
import { filesOf, historyOf } from "./history-of.js";
import { type Keeping, keepTurns, type TurnKeeper } from "./keep-turns.js";

/** The team of a conversation and where it is kept, decided: nothing is looked up any more. */
export interface ConversationPlan extends Omit<RunPlan, "question" | "history" | "previousTurns" | "signal" | "onEvent"> {
  /** Where turns are kept, and what is there already; `null`: in memory. */
  readonly keep: Keeping | null;
  /** What was said before the first turn. */
  readonly history?: readonly HistoryMessage[];
  /**
   * There will be one question, and perhaps more in another process: the log of a first turn then has its root for itself.
   * Default false: each turn has a folder of its own.
   */
  readonly isOneShot?: boolean;
}

export interface AskOptions extends Pick<RunPlan, "reviewChanges" | "onWaiting" | "elicit" | "human" | "allowUnconfined"> {
  /** Aborting cancels the turn in order; what agents had by then is kept. */
  readonly signal?: AbortSignal;
  /** The team of this turn alone, with what its question names. Default: that of the conversation. */
  readonly loaded?: LoadedConfig;
  /** Gets every event of the turn; an error it throws cancels the turn and rejects its result. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** A turn that is ready to go. */
export interface PreparedTurn extends PreparedRun {
  /**
   * Settled with `finished`: what came of the turn is kept. Rejects with `STORE_FAILED` when the disk did not take it; the
   * conversation goes on all the same, and knows the turn as long as this process lives.
   */
  readonly saved: Promise<void>;
}

/** Questions to one team, each of which knows what came of those before. One is asked at a time. */
export interface Conversation {
  /** `null` before the first question, and for one that is kept in memory. */
  readonly sessionId: string | null;
  /** Turns so far, those of earlier processes included, oldest first; one that left nothing has neither answer nor partial answers. */
  readonly turns: readonly SessionTurn[];
  /** What of earlier turns could not be used, a sentence each. */
  readonly notes: readonly string[];
  /** Makes the run of the next question ready; it is this conversation's turn once it is started. */
  prepare(question: string, options?: AskOptions): Promise<PreparedTurn>;
  /**
   * Asks, waits, and keeps what came of it.
   *
   * @throws MassgenError without an answer, with the run as `partial`; what agents had is kept all the same
   */
  ask(question: string, options?: AskOptions): Promise<RunResult>;
  /** Cancels the question under way; what agents had by then is told to the next turn. */
  cancel(): void;
  /** Forgets what was said. The next question begins a new session; the old one stays on the disk. */
  forget(): Promise<void>;
  /** Ends it. A session that is kept can be gone on with by anybody from then on. */
  close(): Promise<void>;
}

export function startConversation(plan: ConversationPlan): Conversation {
  const { keep, history: before = [], isOneShot = false, logs, ...run } = plan;
  let keeper: TurnKeeper = keepTurns({ keep, logs, isOneShot, loaded: plan.loaded });
  let history = before;
  let running: AbortController | null = null;

  async function prepare(question: string, { signal, onEvent, loaded = plan.loaded, ...more }: AskOptions = {}): Promise<PreparedTurn> {
    if (running !== null)
      throw new MassgenError("USAGE", "This conversation is at work on a question.", { hint: "Wait for its answer, or cancel it." });
    const stop = new AbortController();
    running = stop;
    const turn = keeper.next(question);
    try {
      const prepared = await assembleRun(
        {
          ...run,
          ...more,
          loaded,
          question,
          history: [...history, ...historyOf(keeper.turns())],
          previousTurns: filesOf(keeper.turns()),
          signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
          ...(onEvent === undefined ? {} : { onEvent }),
        },
        { runId: newRunId(), seed: null, openLog: turn.openLog, onEnd: turn.onEnd },
      );
      const start: PreparedRun["start"] = () => {
        const started = prepared.start();
        const free = (): void => {
          if (running === stop) running = null;
        };
        started.finished.then(free, free);
        return started;
      };
      return { ...prepared, start, saved: turn.saved };
    } catch (error) {
      running = null;
      await turn.abandon();
      throw error;
    }
  }

  return {
    get sessionId() {
      return keeper.sessionId();
    },
    get turns() {
      return keeper.turns();
    },
    get notes() {
      return keeper.notes();
    },
    prepare,
    async ask(question, options) {
      const prepared = await prepare(question, options);
      const finished = await prepared.start().finished;
      return withAnswer(finished, prepared.saved);
    },
    cancel() {
      running?.abort(new Error("cancelled"));
    },
    async forget() {
      await keeper.close();
      history = [];
      keeper = keepTurns({ keep: keep === null ? null : { ...keep, session: null, id: null }, logs, isOneShot, loaded: plan.loaded });
    },
    close: () => keeper.close(),
  };
}

/** @throws MassgenError when there is no answer, or it was not kept */
async function withAnswer(finished: FinishedRun, saved: Promise<void>): Promise<RunResult> {
  const { finalAnswer } = finished;
  if (finalAnswer === null) throw failure(finished);
  await savedWith(finished, saved);
  return { ...finished, finalAnswer };
}

/** @throws MassgenError `STORE_FAILED` with the run as `partial`: the answer is not lost with the file */
export async function savedWith(finished: FinishedRun, saved: Promise<void>): Promise<void> {
  try {
    await saved;
  } catch (error) {
    if (!MassgenError.is(error)) throw error;
    throw new MassgenError(error.code, error.message, { cause: error, hint: error.hint, partial: finished });
  }
}
