import type { Clock, EpochMillis } from "@massgen/contracts";
import { enter, enterEarlier, noRequests, type RateLimits, type RateState, rateWait, settle } from "./rate-windows.js";

/** What all requests to one model of one provider share, in one process. */
export interface RateLimiter {
  readonly limits: RateLimits;
  state: RateState;
  /** Settles when nobody waits any more: who comes next waits behind all others. */
  queue: Promise<void>;
  /** Requests of the last day made before this limiter was opened; `null` once they are counted. */
  earlier: readonly EpochMillis[] | null;
  readonly onRequest: (at: EpochMillis) => void;
}

export interface RateLimiterOptions {
  /** When requests were made before: what other processes wrote down. Default: none. */
  readonly earlier?: readonly EpochMillis[];
  /** Hears of every request that is made, so that it can be written down. Must not throw. */
  readonly onRequest?: (at: EpochMillis) => void;
}

export type Reservation =
  | { readonly is: "reserved"; settle(tokens: number): void }
  /** No request is left for so long. */
  | { readonly is: "exhausted"; readonly waitMs: number };

export function openRateLimiter(limits: RateLimits, { earlier = [], onRequest = () => {} }: RateLimiterOptions = {}): RateLimiter {
  return { limits, state: noRequests, queue: Promise.resolve(), earlier, onRequest };
}

/** The state with what was asked before the limiter was opened, which the clock of the first turn dates. */
export function countEarlier(limiter: RateLimiter, clock: Clock): void {
  if (limiter.earlier === null) return;
  limiter.state = enterEarlier(limiter.state, limiter.earlier, clock.now(), clock.monotonic());
  limiter.earlier = null;
}

/** Waits, first come first served, until a request with so many tokens fits, and counts it. Rejects when `signal` aborts. */
export async function reserve(limiter: RateLimiter, tokens: number, clock: Clock, signal: AbortSignal): Promise<Reservation> {
  const before = limiter.queue;
  let leave = (): void => {};
  const own = new Promise<void>((resolve) => {
    leave = resolve;
  });
  limiter.queue = before.then(() => own);
  try {
    await unlessAborted(before, signal);
    countEarlier(limiter, clock);
    for (;;) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      const { waitMs, exhausted } = rateWait(limiter.state, limiter.limits, tokens, now);
      if (exhausted) return { is: "exhausted", waitMs };
      if (waitMs <= 0) {
        const id = limiter.state.nextId;
        limiter.state = enter(limiter.state, tokens, now);
        limiter.onRequest(clock.now());
        return {
          is: "reserved",
          settle(real) {
            limiter.state = settle(limiter.state, id, real);
          },
        };
      }
      // Looked at again afterwards: a request that was settled meanwhile may have been larger than estimated.
      await clock.sleepUntil(now + waitMs, signal);
    }
  } finally {
    leave();
  }
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    void promise.then(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
  });
}
