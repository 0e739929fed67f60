import type { EventStore, RunId } from "@massgen/contracts";
import { type DatabaseOptions, openDatabase, storeFailed } from "../database.js";
import { type DeltaListener, deltaChannel } from "../deltas.js";
import { eventStore, eventsChannel } from "../event-store.js";
import { openEars } from "../listen.js";
import { migrate } from "../migrate.js";
import { APPLICATION_VERSION, clientOf, migrateDbos, QUEUE, WORKFLOW } from "./dbos.js";
import { type FilesTable, filesTable } from "./files-table.js";
import { type ReviewsTable, reviewsTable } from "./reviews-table.js";
import { type NewRun, type RunMessage, type RunsTable, runsChannel, runsTable } from "./runs-table.js";

/** Runs that wait for a worker, are with one, or are over; for whoever hands them in and watches them. */
export interface RunQueue extends Pick<RunsTable, "find" | "list" | "count" | "sessions" | "turnsOf"> {
  /** What runs that are over left. */
  readonly files: Pick<FilesTable, "list" | "read">;
  readonly reviews: Pick<ReviewsTable, "find">;
  /** The logs of all runs. */
  readonly store: EventStore;
  /** Hands a run in. It is not kept when `mostWaiting` wait already (`full`), or its session is at work (`busy`). */
  add(run: NewRun, mostWaiting: number): Promise<"kept" | "full" | "busy">;
  /** Leaves a message with the run, whoever has it. `false` when it is over, or something was said to it under the name `once` before. */
  say(id: RunId, message: RunMessage, once?: string): Promise<boolean>;
  /** What passes in a run that a worker plays, as far as it was asked for (`say` `watch`). Gives what ends it. */
  deltas(id: RunId, listener: DeltaListener): () => void;
  /** Resolves when the run is over, or with `signal`. */
  ended(id: RunId, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Whoever waits for the end of a run looks by himself this often, in case a notice was lost. */
const LOOK_MS = 5_000;

/**
 * Opens the queue and lays its tables where they are missing.
 *
 * @throws MassgenError `STORE_FAILED` when the database is out of reach or refuses
 */
export async function openRunQueue(options: DatabaseOptions): Promise<RunQueue> {
  const database = openDatabase(options);
  const { pool, schema, newClient } = database;
  try {
    await migrate(database);
    await migrateDbos(database, options.url);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const dbos = await clientOf(database, options.url);
  const closing = new AbortController();
  const ears = openEars(newClient, runsChannel(schema));
  const logEars = openEars(newClient, eventsChannel(schema));
  const deltas = deltaChannel(database);
  const table = runsTable(database);
  const logs = eventStore(database, logEars);

  return {
    find: table.find,
    list: table.list,
    count: table.count,
    sessions: table.sessions,
    turnsOf: table.turnsOf,
    say: table.say,
    deltas: deltas.receive,
    files: filesTable(database),
    reviews: reviewsTable(database),
    store: {
      append: logs.append,
      read: (runId, { signal, ...range } = {}) =>
        logs.read(runId, { ...range, signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]) }),
    },
    async add(run, mostWaiting) {
      const client = await pool.connect().catch((error: unknown) => {
        throw storeFailed("no connection", error);
      });
      let isGood = false;
      try {
        await client.query("BEGIN");
        const turn = await table.add(client, run, mostWaiting);
        if (typeof turn === "number") {
          const work = { queueName: QUEUE, workflowName: WORKFLOW, workflowID: run.id, appVersion: APPLICATION_VERSION, priority: turn };
          await dbos.enqueueInTransaction(client, work, run.id);
        }
        await client.query("COMMIT");
        isGood = true;
        return typeof turn === "number" ? "kept" : turn;
      } catch (error) {
        throw storeFailed("the run could not be handed in", error);
      } finally {
        // Its transaction ends with the connection.
        client.release(!isGood);
      }
    },
    async ended(id, signal) {
      const over = AbortSignal.any([signal, closing.signal]);
      while (!over.aborted) {
        const enough = new AbortController();
        const notice = ears.next(id, LOOK_MS, AbortSignal.any([over, enough.signal]));
        try {
          const run = await table.find(id);
          if (run === null || run.endedAtMs !== null) return;
          await notice;
        } finally {
          enough.abort();
        }
      }
    },
    async close() {
      closing.abort();
      await Promise.all([ears.close(), logEars.close(), deltas.close()]);
      await dbos.destroy();
      await pool.end();
    },
  };
}
