import type { Clock } from "@massgen/contracts";
import { OVER } from "./over.js";

/** Says when nothing has been heard for too long. */
export interface SilenceWatch {
  /** Something was heard; silence is expected for another `expectedMs`. */
  heard(expectedMs?: number): void;
  /** Resolves when the watch has ended. */
  stop(): Promise<void>;
}

/** One sleeper per stream, not one per event: it wakes at the earliest moment the silence could be too long. */
export function watchSilence(clock: Clock, limitMs: number, tooLong: () => void): SilenceWatch {
  const stopped = new AbortController();
  let deadline = clock.monotonic() + limitMs;

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const at = deadline;
      try {
        await clock.sleepUntil(at, stopped.signal);
      } catch {
        return; // called off
      }
      if (deadline <= at) return tooLong();
    }
  }

  const watching = watch();
  return {
    heard(expectedMs = 0) {
      deadline = clock.monotonic() + expectedMs + limitMs;
    },
    stop() {
      stopped.abort(OVER);
      return watching;
    },
  };
}
