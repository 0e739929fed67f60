import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { type Durability, MassgenError, type Recorded, type RunId } from "@massgen/contracts";
import type { EventWriter } from "./event-writer.js";
import { readDecisions } from "./read-decisions.js";
import { placeBefore } from "./seek-record.js";

interface ReadOptions {
  readonly after?: number;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** The log of one run, for all who write or read it in this process. */
export interface EventStream {
  /** Takes the right to write now, not with the first append. @throws MassgenError `STORE_CONFLICT` */
  claim(): Promise<readonly Recorded[]>;
  append(after: number, decision: readonly Recorded[], durability: Durability): Promise<void>;
  read(options: ReadOptions): AsyncGenerator<Recorded>;
  /** Everything written is on the disk, and the file is closed. */
  close(): Promise<void>;
}

/** How often a reader looks for what another process has written. */
const POLL_MS = 200;

/** `openWriter` takes the right to write the file; it is asked for with the first append. */
export function createEventStream(runId: RunId, file: string, openWriter: () => Promise<EventWriter>): EventStream {
  let writer: EventWriter | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  /** Places in `writer.records` where decisions begin that are written but not yet durable. */
  const unflushed = new Map<number, Promise<void>>();
  let changed = createSignal();

  const visible = (): number => Math.min(...unflushed.keys(), writer?.records.length ?? 0);

  function announce(): void {
    const { resolve } = changed;
    changed = createSignal();
    resolve();
  }

  async function write(after: number, decision: readonly Recorded[], durability: Durability): Promise<Written> {
    writer ??= await openWriter();
    const last = writer.lastSeq();
    if (last !== after) throw conflict(runId, last, after);
    const place = writer.records.length;
    await writer.write(decision);
    if (durability === "buffered") return { flushed: null };
    const flushed = writer.flush().finally(() => unflushed.delete(place));
    unflushed.set(place, flushed);
    return { flushed };
  }

  return {
    claim() {
      const mine = turn.then(async () => {
        writer ??= await openWriter();
        return [...writer.records];
      });
      turn = mine.catch(() => {});
      return mine;
    },

    async append(after, decision, durability) {
      const mine = turn.then(() => write(after, decision, durability));
      turn = mine.catch(() => {});
      try {
        await (await mine).flushed;
        announce();
      } catch (error) {
        // Who lost looks at the log next: it shall see what it lost to.
        await Promise.allSettled(unflushed.values());
        throw error;
      }
    },

    async *read({ after = 0, follow = false, signal }) {
      let seen = after;
      // Whoever has seen the beginning does not read it again; the record it has seen tells whether the run is over.
      let position = writer === null && after > 0 ? await placeBefore(file, after) : 0;
      let isOver = false;
      const isAborted = (): boolean => signal?.aborted ?? false;
      // Reading from memory never waits; who reads in a loop must not keep the disk from its turn.
      await nextTurn();
      for (;;) {
        const change = changed.promise;
        for await (const { record, end } of writer === null ? onDisk(file, position) : inMemory(writer.records, visible(), seen)) {
          position = end;
          isOver = record.type === "run_finished";
          if (record.seq <= seen) continue;
          if (isAborted()) return;
          seen = record.seq;
          yield record;
        }
        if (isAborted() || isOver || !follow) return;
        await nextLook(change, writer === null, signal);
      }
    },

    async close() {
      await turn;
      await Promise.allSettled(unflushed.values());
      await writer?.close();
      writer = null;
      announce();
    },
  };
}

/** In an object, because a promise of a promise is one promise: the next decision is written while this one is flushed. */
interface Written {
  readonly flushed: Promise<void> | null;
}

interface Placed {
  readonly record: Recorded;
  /** Byte after the last whole decision before this record, or after it for the last record of its decision. */
  readonly end: number;
}

async function* onDisk(file: string, from: number): AsyncGenerator<Placed> {
  let position = from;
  for await (const decisions of readDecisions(file, from)) {
    for (const { records, end } of decisions) {
      for (const [place, record] of records.entries()) {
        if (place === records.length - 1) position = end;
        yield { record, end: position };
      }
    }
  }
}

/** Records count up without gaps, so the one after `seen` is found by arithmetic. Starts one early, to know whether the run is over. */
function* inMemory(records: readonly Recorded[], visible: number, seen: number): Generator<Placed> {
  const first = records[0]?.seq ?? 1;
  for (let place = Math.min(Math.max(0, seen - first), Math.max(0, visible - 1)); place < visible; place++)
    yield { record: records[place]!, end: 0 };
}

/** Resolves when there may be something new, or at once when the reader was told to stop. */
async function nextLook(change: Promise<void>, poll: boolean, signal: AbortSignal | undefined): Promise<void> {
  const looked = new AbortController();
  const stop = (): void => looked.abort();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const aborted = new Promise<void>((resolve) => looked.signal.addEventListener("abort", () => resolve(), { once: true }));
    const polled = poll ? [wait(POLL_MS, undefined, { signal: looked.signal, ref: false }).catch(() => {})] : [];
    await Promise.race([change, aborted, ...polled]);
  } finally {
    signal?.removeEventListener("abort", stop);
    looked.abort();
  }
}

function conflict(runId: RunId, last: number, after: number): MassgenError {
  return new MassgenError("STORE_CONFLICT", `Run ${runId} ends at record ${last}, not at ${after}: somebody else has written to it.`);
}

function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
