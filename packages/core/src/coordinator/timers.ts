import type { MonotonicMillis } from "@massgen/contracts";
import type { Effect } from "@massgen/kernel";

export type TimerEffect = Extract<Effect, { kind: "timer" }>;

/** When the timer fires, given when each record was written: see `Effect`. */
export function dueAt(timer: TimerEffect, timeOf: (seq: number) => MonotonicMillis): MonotonicMillis {
  const { scaled } = timer;
  const scaledMs = scaled === null ? 0 : scaled.factor * (timeOf(scaled.toSeq) - timeOf(scaled.fromSeq));
  return timeOf(timer.sinceSeq) + Math.max(timer.afterMs, scaledMs);
}

/** Two timers of one id that differ in this are not the same timer: the older one is given up. */
export const scheduleOf = ({ sinceSeq, afterMs, scaled }: TimerEffect): string => JSON.stringify([sinceSeq, afterMs, scaled]);
