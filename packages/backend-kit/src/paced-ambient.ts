import type { Ambient, Clock, MonotonicMillis } from "@massgen/contracts";
import { readRateReset } from "./rate-headers.js";
import { readRetryAfter } from "./retry-after.js";

/** When the vendor takes the next request of one adapter, as far as its responses told. */
export interface Pace {
  from: MonotonicMillis;
}

export interface PacedAmbient extends Ambient {
  readonly pace: Pace;
}

/** Limits by the minute are worth a wait. What resets later is a limit of the day: the vendor is asked, and says so. */
const LONGEST_WAIT_MS = 60_000;

/** The ambient of one adapter. Its `fetch` notes when a response says that nothing is left; `runTurn` then waits before its next request. */
export function pacedAmbient(ambient: Ambient): PacedAmbient {
  const { clock } = ambient;
  const pace: Pace = { from: Number.NEGATIVE_INFINITY };
  return {
    ...ambient,
    pace,
    async fetch(input, init) {
      const response = await ambient.fetch(input, init);
      const now = clock.now();
      // A wait the vendor asks for in so many words is kept by the retry.
      const waitMs = readRetryAfter(response.headers, now) === null ? readRateReset(response.headers, now) : null;
      if (waitMs !== null && waitMs <= LONGEST_WAIT_MS) pace.from = Math.max(pace.from, clock.monotonic() + waitMs);
      return response;
    },
  };
}

/** Milliseconds until the next request may be made; 0 for at once. */
export function paceWaitMs(pace: Pace | undefined, clock: Clock): number {
  return pace === undefined ? 0 : Math.max(0, pace.from - clock.monotonic());
}
