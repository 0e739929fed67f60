import { type EventStore, MassgenError, type Recorded, type RunId } from "@massgen/contracts";

/** An event store that forgets everything with the process: the default of `coordinate`. */
export function memoryStore(): EventStore {
  const runs = new Map<RunId, Recorded[]>();
  const waiting = new Set<() => void>();

  return {
    append(runId, after, decision) {
      const records = runs.get(runId) ?? [];
      if (records.length !== after) {
        const message = `Run ${runId} ends at record ${records.length}, not at ${after}: another writer has added to it.`;
        return Promise.reject(new MassgenError("STORE_CONFLICT", message, { hint: "Let only one process run a run." }));
      }
      runs.set(runId, records);
      records.push(...decision);
      for (const wake of waiting) wake();
      waiting.clear();
      return Promise.resolve();
    },

    async *read(runId, { after = 0, follow = false, signal } = {}) {
      for (let next = after; signal?.aborted !== true; ) {
        const record = runs.get(runId)?.[next];
        if (record !== undefined) {
          next += 1;
          yield record;
        } else if (follow && runs.get(runId)?.at(-1)?.type !== "run_finished") await nextChange(waiting, signal);
        else return;
      }
    },
  };
}

/** Resolves with the next append or when the signal aborts, and leaves nothing behind. */
function nextChange(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      signal?.removeEventListener("abort", wake);
      waiting.delete(wake);
      resolve();
    };
    waiting.add(wake);
    signal?.addEventListener("abort", wake, { once: true });
  });
}
