import { type EventStore, MassgenError, type Recorded, type RunId } from "@massgen/contracts";

/** An event store that forgets everything with the process: the reference for `describeEventStore`, and enough for most tests. */
export function memoryStore(): EventStore {
  const runs = new Map<RunId, Recorded[]>();
  let wake: () => void = () => {};
  let changed = nextChange();

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }

  return {
    append(runId, after, decision) {
      const records = runs.get(runId) ?? [];
      if (records.length !== after) {
        const message = `Run ${runId} ends at record ${records.length}, not at ${after}: somebody else has written to it.`;
        return Promise.reject(new MassgenError("STORE_CONFLICT", message));
      }
      runs.set(runId, [...records, ...decision]);
      wake();
      changed = nextChange();
      return Promise.resolve();
    },
    async *read(runId, options = {}) {
      const { after = 0, follow = false, signal } = options;
      const isOver = (): boolean => signal?.aborted ?? false;
      const over = signal === undefined ? new Promise<never>(() => {}) : abortOf(signal);
      for (let next = after; !isOver(); ) {
        const waiting = changed;
        const records = runs.get(runId) ?? [];
        for (const record of records.slice(next)) {
          if (isOver()) return;
          next += 1;
          yield record;
        }
        if (!follow || records.at(-1)?.type === "run_finished") return;
        await Promise.race([waiting, over]);
      }
    },
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
