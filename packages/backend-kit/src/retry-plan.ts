import type { Random } from "@massgen/contracts";
import type { AttemptFailure } from "./failure.js";

export interface RetryLimits {
  /** Requests besides the first that may fail before a stream opened. Default 3. */
  readonly maxRetries: number;
  /** Streams besides the first that may break off, fall silent or report an error. Default 2. */
  readonly maxIncompleteResponseRetries: number;
  /** Longest wait that is honoured, in milliseconds; a vendor that asks for more ends the turn. Default 120 000. */
  readonly maxWaitMs: number;
  /** Milliseconds in which at least one piece of content must arrive; comments and empty chunks do not count. Default 240 000. */
  readonly silenceMs: number;
  /** Pauses where the vendor names none. Default: 1 s doubled each time, at most 30 s, half of it left to chance. */
  readonly backoff?: Backoff;
}

/** How pauses grow from one retry to the next. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
  /** Share of each pause that is left to chance, in [0, 1]. */
  readonly jitter: number;
}

export const defaultRetryLimits: RetryLimits = { maxRetries: 3, maxIncompleteResponseRetries: 2, maxWaitMs: 120_000, silenceMs: 240_000 };

/** Retries made so far in one turn, by what they were spent on. */
export interface RetryTally {
  readonly request: number;
  readonly incomplete: number;
  readonly repaired: number;
}

export const noRetries: RetryTally = { request: 0, incomplete: 0, repaired: 0 };

export type RetryPlan =
  | { readonly again: true; readonly waitMs: number; readonly tally: RetryTally }
  | { readonly again: false; readonly failure: AttemptFailure };

/** An adapter has a handful of repairs and each works once; this only keeps a wrong one from going round for ever. */
const MAX_REPAIRS = 8;

/** Half is left to chance, not all: pauses then grow from one retry to the next until they near the cap. */
const defaultBackoff: Backoff = { firstMs: 1000, factor: 2, longestMs: 30_000, jitter: 0.5 };

/** Pause in milliseconds before retry number `retriesSoFar + 1`. `random` is in [0, 1). */
export function backoffDelayMs(retriesSoFar: number, random: number, backoff: Backoff = defaultBackoff): number {
  const fullMs = Math.min(backoff.firstMs * backoff.factor ** retriesSoFar, backoff.longestMs);
  return Math.round(fullMs * (1 - backoff.jitter + backoff.jitter * random));
}

/**
 * Whether a failed attempt is tried again, and after what pause (docs/spec/backends.md 21).
 *
 * A stream that had opened before it failed counts against `maxIncompleteResponseRetries`, everything else against
 * `maxRetries`. A wait the vendor asked for is kept to the millisecond; one beyond `maxWaitMs` is `backend_fatal`, because
 * asking earlier would only be refused again.
 */
export function planRetry(
  failure: AttemptFailure,
  streamOpened: boolean,
  tally: RetryTally,
  limits: RetryLimits,
  random: Random,
): RetryPlan {
  if (failure.retry === "never") return { again: false, failure };
  if (failure.retry === "repaired") {
    if (tally.repaired >= MAX_REPAIRS) return { again: false, failure };
    return { again: true, waitMs: 0, tally: { ...tally, repaired: tally.repaired + 1 } };
  }
  if (failure.retryAfterMs !== null && failure.retryAfterMs > limits.maxWaitMs) {
    return { again: false, failure: { ...failure, kind: "backend_fatal", retry: "never" } };
  }
  const spent = streamOpened ? tally.incomplete : tally.request;
  if (spent >= (streamOpened ? limits.maxIncompleteResponseRetries : limits.maxRetries)) return { again: false, failure };
  return {
    again: true,
    waitMs: failure.retryAfterMs ?? backoffDelayMs(spent, random(), limits.backoff),
    tally: streamOpened ? { ...tally, incomplete: spent + 1 } : { ...tally, request: spent + 1 },
  };
}
