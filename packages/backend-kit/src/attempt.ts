import type { BackendEvent, Clock } from "@massgen/contracts";
import { AttemptError, transient } from "./failure.js";

/** What an attempt may yield: everything of a turn except what `runTurn` says itself. */
export type AttemptEvent = Exclude<BackendEvent, { readonly type: "turn_start" | "turn_retried" | "turn_failed" }>;

/** What an attempt is given. */
export interface AttemptContext {
  /** 1 for the first request of the turn, one more for each after it. */
  readonly number: number;
  /** Aborts when the turn is cancelled, when the vendor stays silent too long, and when nobody reads any more. */
  readonly signal: AbortSignal;
  /** Something arrived that yields no event; a yielded event says so by itself. Empty chunks and comments are no sign of life. */
  alive(): void;
}

/**
 * One request. The promise resolves when the vendor has accepted it, with what streams from then on; that ends with
 * `turn_end`. Rejects, or throws in mid-stream, with `AttemptError` for a failure it understands: before the stream that
 * is a request that failed, after it a response that broke off.
 */
export type Attempt = (context: AttemptContext) => Promise<AsyncIterable<AttemptEvent>>;

export interface AttemptOptions {
  readonly attempt: Attempt;
  readonly number: number;
  /** Named in messages: `OpenAI (gpt-5)`. */
  readonly who: string;
  readonly silenceMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface RunningAttempt {
  readonly streamOpened: boolean;
  /** The next event, `null` after the last; rejects with what the attempt threw, at once on cancellation or silence. */
  next(): Promise<AttemptEvent | null>;
  /** Ends the attempt, also when it is stuck. */
  close(): void;
}

/** A reason of our own: the default one costs a stack trace. */
const OVER = "the attempt is over";

/**
 * Starts one attempt and stays master of it: cancellation and silence end the wait for the next event even when the code
 * below ignores its signal. Silence is measured only while somebody waits for an event, so that a slow reader is not
 * taken for a silent vendor.
 */
export function openAttempt({ attempt, number, who, silenceMs, clock, signal }: AttemptOptions): RunningAttempt {
  const controller = new AbortController();
  const watch = new AbortController();
  let streamOpened = false;
  let hasEnded = false;
  let interruption: AttemptError | null = null;
  let rejectWait: ((reason: AttemptError) => void) | null = null;
  let lastSignMs = clock.monotonic();

  const interrupt = (error: AttemptError): void => {
    interruption ??= error;
    controller.abort(interruption);
    rejectWait?.(interruption);
  };
  const onAbort = (): void => interrupt(new AttemptError({ ...transient("The turn was cancelled."), retry: "never" }));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });

  async function watchSilence(): Promise<void> {
    try {
      while (!watch.signal.aborted) {
        await clock.sleepUntil(lastSignMs + silenceMs, watch.signal);
        if (rejectWait === null) lastSignMs = clock.monotonic();
        else if (clock.monotonic() - lastSignMs >= silenceMs) {
          // Taken and never answered: that is a stream that broke off, and counted as one.
          streamOpened = true;
          interrupt(new AttemptError(transient(`${who} has sent nothing for ${silenceMs / 1000} s.`)));
        }
      }
    } catch {
      // The attempt is over, and with it the watch.
    }
  }

  const alive = (): void => {
    lastSignMs = clock.monotonic();
  };
  let stream: AsyncIterator<AttemptEvent> | null = null;
  async function open(): Promise<IteratorResult<AttemptEvent>> {
    const opened = (await attempt({ number, signal: controller.signal, alive }))[Symbol.asyncIterator]();
    stream = opened;
    streamOpened = true;
    if (controller.signal.aborted) close();
    return opened.next();
  }
  function close(): void {
    signal.removeEventListener("abort", onAbort);
    watch.abort(OVER);
    // What came to its end has nothing left to cancel, and telling everybody below costs more than the whole turn here.
    if (!hasEnded) controller.abort(OVER);
    // Not awaited: an attempt that ignores its signal would hold up the turn.
    stream?.return?.().catch(() => {});
  }
  void watchSilence();

  return {
    get streamOpened() {
      return streamOpened;
    },
    next() {
      if (interruption !== null) return Promise.reject(interruption);
      alive();
      return new Promise((resolve, reject) => {
        rejectWait = reject;
        (stream === null ? open() : stream.next()).then(
          (result) => {
            rejectWait = null;
            if (result.done !== true && result.value.type === "turn_end") hasEnded = true;
            resolve(result.done === true ? null : result.value);
          },
          (error) => {
            rejectWait = null;
            reject(interruption ?? error);
          },
        );
      });
    },
    close,
  };
}
