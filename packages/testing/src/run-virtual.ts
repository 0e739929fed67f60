import type { VirtualClock } from "./virtual-clock.js";

export interface RunVirtualOptions {
  /** Times the promise may be found pending with nobody asleep, before the run counts as stuck. Default 2000. */
  readonly maxIdleRounds?: number;
  /** Virtual milliseconds the run may take: work that sets one timer after another would never end. Default one day. */
  readonly maxMs?: number;
}

const ONE_DAY_MS = 24 * 3600 * 1000;

/**
 * Settles as `promise` does, with time passing as fast as the work allows: whenever nothing can go on without time, the
 * clock jumps to its next sleeper. Minutes of simulated latency take milliseconds, and the order of events is always the same.
 *
 * Rejects when the promise is pending, nobody sleeps and nothing moves, or when it goes on for more than a day. Real work (files, imports, sockets) is invisible
 * to the clock: pass it through `clock.hold`.
 *
 * @example
 * const clock = virtualClock();
 * await runVirtual(clock, clock.sleepUntil(60_000, AbortSignal.timeout(1_000)));
 */
export async function runVirtual<T>(clock: VirtualClock, promise: Promise<T>, options: RunVirtualOptions = {}): Promise<T> {
  const { maxIdleRounds = 2000, maxMs = ONE_DAY_MS } = options;
  const startedAt = clock.monotonic();
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let idleRounds = 0; idleRounds <= maxIdleRounds; ) {
    await clock.settle();
    if (settled) return promise;
    if (clock.monotonic() - startedAt > maxMs) throw new Error(`The virtual run has taken ${maxMs} ms of its time and is not over.`);
    idleRounds = clock.fireNext() ? 0 : idleRounds + 1;
  }
  throw new Error(
    `The virtual run is stuck at ${clock.monotonic()} ms: its promise is pending, nobody sleeps on the clock and nothing moves. Real work must be announced with clock.hold(promise).`,
  );
}
