/** Leaves a server alone that does not answer (docs/spec/tools.md 5.5). */
export interface Breaker {
  /** Milliseconds until the next call may be tried; 0 lets this one through. */
  waitMs(): number;
  succeeded(): void;
  /** The call got no answer: a timeout, or a connection that broke. Errors that the server told are answers. */
  failed(): void;
}

const FAILURES = 3;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 240_000;

/** Opens after three failures in a row, for 30 s and twice as long each time the one call that tries fails. */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let openUntil: number | null = null;
  let isProbing = false;
  return {
    waitMs() {
      if (openUntil === null) return 0;
      const left = openUntil - now();
      if (left > 0) return left;
      // One call tries; those beside it wait for what becomes of it.
      if (isProbing) return pauseMs;
      isProbing = true;
      return 0;
    },
    succeeded() {
      failures = 0;
      pauseMs = FIRST_PAUSE_MS;
      openUntil = null;
      isProbing = false;
    },
    failed() {
      failures += 1;
      if (isProbing) pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      if (isProbing || failures >= FAILURES) openUntil = now() + pauseMs;
      isProbing = false;
    },
  };
}
