import type { Clock, EpochMillis, MonotonicMillis } from "@massgen/contracts";

/** A clock that stands still until it is told to go on to the next moment somebody waits for. */
export interface ReplayClock extends Clock {
  /** False when nobody waits for anything. */
  advance(): boolean;
}

export function createReplayClock(startAt: EpochMillis): ReplayClock {
  const sleepers = new Map<symbol, { readonly at: MonotonicMillis; readonly wake: () => void }>();
  let elapsedMs = 0;
  return {
    now: () => startAt + elapsedMs,
    monotonic: () => elapsedMs,
    sleepUntil(at, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (at <= elapsedMs) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const key = Symbol();
        const onAbort = (): void => {
          sleepers.delete(key);
          reject(signal.reason);
        };
        signal.addEventListener("abort", onAbort, { once: true });
        const wake = (): void => {
          sleepers.delete(key);
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        sleepers.set(key, { at, wake });
      });
    },
    advance() {
      let next: { readonly at: MonotonicMillis; readonly wake: () => void } | null = null;
      // Of equal moments the one that was waited for first.
      for (const sleeper of sleepers.values()) if (next === null || sleeper.at < next.at) next = sleeper;
      if (next === null) return false;
      elapsedMs = Math.max(elapsedMs, next.at);
      next.wake();
      return true;
    },
  };
}
