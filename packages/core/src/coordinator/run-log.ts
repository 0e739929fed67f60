import {
  type Clock,
  type CoordinationEvent,
  type EpochMillis,
  type EventStore,
  MassgenError,
  type MonotonicMillis,
  type Recorded,
  type RunId,
} from "@massgen/contracts";
import { isReport } from "@massgen/kernel";

/** The facts of one run: in the store for ever, in memory for whoever watches. */
export interface RunLog {
  /** All records, oldest first; record `seq` stands at `seq - 1`. */
  readonly records: readonly Recorded[];
  /** Reads what the store already has. @throws MassgenError `STORE_FAILED` */
  load(): Promise<readonly Recorded[]>;
  /** Stamps and stores one decision; resolves once it is durable. @throws MassgenError `STORE_CONFLICT`, `STORE_FAILED` */
  append(facts: readonly CoordinationEvent[]): Promise<readonly Recorded[]>;
  /**
   * When record `seq` was written, on the monotonic clock. For records of an earlier process reckoned from their stamps, as
   * if the last of them had been written when the log was loaded: the time a run lay dead does not count against its limits.
   */
  timeOf(seq: number): MonotonicMillis;
}

export function createRunLog({
  runId,
  store,
  clock,
}: {
  readonly runId: RunId;
  readonly store: EventStore;
  readonly clock: Clock;
}): RunLog {
  const records: Recorded[] = [];
  const writtenAt = new Map<number, MonotonicMillis>();
  let loaded: { readonly monotonic: MonotonicMillis; readonly lastAt: EpochMillis } | null = null;

  return {
    records,

    async load() {
      await storing(runId, async () => {
        for await (const record of store.read(runId)) records.push(record);
      });
      loaded = { monotonic: clock.monotonic(), lastAt: records.at(-1)?.at ?? clock.now() };
      return records;
    },

    async append(facts) {
      const decision = stamp(facts, records.at(-1), runId, clock.now());
      const time = clock.monotonic();
      // What only reports need not survive a power cut by itself (docs/spec/coordination.md 4.6).
      await storing(runId, () => store.append(runId, records.length, decision, facts.every(isReport) ? "buffered" : "flushed"));
      for (const record of decision) {
        records.push(record);
        writtenAt.set(record.seq, time);
      }
      return decision;
    },

    timeOf(seq) {
      const written = writtenAt.get(seq);
      if (written !== undefined || loaded === null) return written ?? clock.monotonic();
      return loaded.monotonic - Math.max(0, loaded.lastAt - (records[seq - 1]?.at ?? loaded.lastAt));
    },
  };
}

function stamp(facts: readonly CoordinationEvent[], last: Recorded | undefined, runId: RunId, at: number): readonly Recorded[] {
  const decision = (last?.decision ?? 0) + 1;
  return facts.map((fact, index) => ({
    seq: (last?.seq ?? 0) + index + 1,
    at,
    runId,
    decision,
    closes: index === facts.length - 1,
    ...fact,
  }));
}

async function storing(runId: RunId, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (MassgenError.is(cause)) throw cause;
    const message = `The record of run ${runId} cannot be kept: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new MassgenError("STORE_FAILED", message, { cause, hint: "Check that the place of the log exists and has room." });
  }
}
