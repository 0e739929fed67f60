import type { Clock } from "@massgen/contracts";

/** Calls `tick` every `everyMs` on the run's clock until it is stopped. */
export function startTicker(clock: Clock, everyMs: number, tick: () => void): { stop(): void } {
  const stopped = new AbortController();
  void (async () => {
    try {
      for (;;) {
        await clock.sleepUntil(clock.monotonic() + everyMs, stopped.signal);
        tick();
      }
    } catch {
      // Stopped: nothing else ends the sleep.
    }
  })();
  return { stop: () => stopped.abort() };
}
