import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Recorded, RunId } from "@massgen/contracts";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import { createEventsFileStore, type EventsFileStore, type EventsFileStoreOptions } from "../events/event-store.js";
import { eventsFileIn, readDecisions } from "../events/read-decisions.js";
import { attemptFolder, eventFilesIn, isFile } from "./attempt-folders.js";

/** How often a reader that follows looks for more. */
const POLL_MS = 200;

export interface AttemptsStoreOptions extends Omit<EventsFileStoreOptions, "folderOf" | "before" | "onClosed"> {
  readonly root: string;
  readonly runId: RunId;
}

/**
 * The log of a run with several attempts: each has an `events.jsonl` of its own, numbers go on from one to the next. The
 * decision that begins an attempt is never torn between two files: all of it is the beginning of the new one.
 */
export function createAttemptsStore({ root, runId, ...options }: AttemptsStoreOptions): EventsFileStore {
  const stores = new Map<number, EventsFileStore>();
  /** What attempts came to that this process wrote, whether the disk took them or not. */
  const ends = new Map<number, RunView>();
  let current: number | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  function storeOf(attempt: number): EventsFileStore {
    const known = stores.get(attempt);
    if (known !== undefined) return known;
    const folder = join(root, attemptFolder(attempt));
    const store = createEventsFileStore({
      ...options,
      folderOf: (id) => (id === runId ? folder : null),
      before: () => viewBefore(root, attempt, ends),
      onClosed: (view) => ends.set(attempt, view),
    });
    stores.set(attempt, store);
    return store;
  }

  async function append(id: RunId, after: number, decision: readonly Recorded[], durability: Parameters<EventsFileStore["append"]>[3]) {
    current ??= await attemptReached(root);
    const restart = decision.find((record) => record.type === "attempt_restarted");
    if (restart?.type === "attempt_restarted" && restart.attempt > current) {
      await stores.get(current)?.close();
      current = restart.attempt;
    }
    await storeOf(current).append(id, after, decision, durability);
  }

  return {
    claim(id) {
      const mine = turn.then(async () => {
        current ??= await attemptReached(root);
        // The right to write comes first: what is read then no longer changes.
        const own = await storeOf(current).claim(id);
        return current === 1 ? own : [...(await recordsBefore(root, current)), ...own];
      });
      turn = mine.catch(() => {});
      return mine;
    },

    append(...args) {
      const mine = turn.then(() => append(...args));
      turn = mine.catch(() => {});
      return mine;
    },

    async *read(id, { after = 0, follow = false, signal } = {}) {
      let seen = after;
      for (let attempt = 1; id === runId; ) {
        let isOver = false;
        for await (const record of storeOf(attempt).read(id, { after: seen, ...(signal === undefined ? {} : { signal }) })) {
          seen = record.seq;
          isOver = record.type === "run_finished";
          yield record;
        }
        if (isOver || signal?.aborted === true) return;
        if (await isFile(eventsFileIn(join(root, attemptFolder(attempt + 1))))) attempt += 1;
        else if (!follow) return;
        else await wait(POLL_MS, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => {});
      }
    },

    async close() {
      await turn;
      for (const store of stores.values()) await store.close();
    },
  };
}

/** The newest attempt whose beginning is on the disk: one that a crash tore in its first decision has not begun. */
async function attemptReached(root: string): Promise<number> {
  const files = await eventFilesIn(root);
  const last = files.at(-1);
  if (last === undefined || files.length === 1) return 1;
  for await (const decisions of readDecisions(last)) if (decisions.length > 0) return files.length;
  return files.length - 1;
}

async function recordsBefore(root: string, attempt: number): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  for (const file of await eventFilesIn(join(root, attemptFolder(attempt - 1))))
    for await (const decisions of readDecisions(file)) for (const decision of decisions) records.push(...decision.records);
  return records;
}

/** What the attempts before this one came to: the lines of a log say what was true when they were written. */
async function viewBefore(root: string, attempt: number, ends: ReadonlyMap<number, RunView>): Promise<RunView> {
  const known = ends.get(attempt - 1);
  if (known !== undefined || attempt === 1) return known ?? emptyRunView;
  return (await recordsBefore(root, attempt)).reduce(foldRecord, emptyRunView);
}
