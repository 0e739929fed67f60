import type { BackendAdapter, BackendCapabilities, Clock } from "@massgen/contracts";
import type { RecordedCall } from "./call-record.js";

/** Says what was recorded, when it was said. A call that was left, or that is not on record, never ends by itself. */
export function replayedBackend(
  { id, model, capabilities }: { readonly id: string; readonly model: string; readonly capabilities: BackendCapabilities },
  calls: readonly RecordedCall[],
  clock: Clock,
  zeroMs: number,
): BackendAdapter {
  const waiting = calls.toSorted((a, b) => a.index - b.index);
  return {
    specVersion: 1,
    id,
    model,
    capabilities,
    dispose: () => Promise.resolve(),
    async *stream(_request, signal) {
      const call = waiting.shift();
      // Not before it was asked for then: what an agent has seen by now depends on it.
      const startedAt = Math.max(clock.monotonic(), (call?.started_ms ?? 0) - zeroMs);
      for (const [afterMs, event] of call?.events ?? []) {
        try {
          await clock.sleepUntil(startedAt + afterMs, signal);
        } catch {
          return;
        }
        yield event;
        if (event.type === "turn_end" || event.type === "turn_failed") return;
      }
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      });
    },
  };
}
