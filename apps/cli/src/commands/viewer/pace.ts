import { setTimeout as wait } from "node:timers/promises";

/** A wait of a run that is shown without a wish for a speed is cut to this. */
const LONGEST_WAIT_MS = 1_500;

export interface Pace {
  /** Resolves when it is time for what happened at `at`; with the signal at once. */
  readonly until: (at: number) => Promise<void>;
  /** The time of the replayed run, in milliseconds, which goes on between its events. */
  readonly now: () => number;
}

/** `speed`: times as fast as it happened; 0 never waits; `null` is as it happened with long waits cut short. */
export function createPace(speed: number | null, monotonic: () => number, signal: AbortSignal): Pace {
  const factor = speed ?? 1;
  let last: { readonly at: number; readonly shown: number } | null = null;
  return {
    async until(at) {
      const before = last;
      if (before !== null && factor > 0) {
        const gap = Math.max(0, at - before.at) / factor;
        const left = (speed === null ? Math.min(gap, LONGEST_WAIT_MS) : gap) - (monotonic() - before.shown);
        if (left >= 1) await wait(left, undefined, { signal }).catch(() => {});
      }
      last = { at, shown: monotonic() };
    },
    now: () => (last === null ? 0 : last.at + (monotonic() - last.shown) * factor),
  };
}
