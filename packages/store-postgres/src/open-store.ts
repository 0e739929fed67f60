import type { EventStore } from "@massgen/contracts";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { eventStore, eventsChannel } from "./event-store.js";
import { openEars } from "./listen.js";
import { migrate } from "./migrate.js";

export type PostgresStoreOptions = DatabaseOptions;

/** Logs of runs that every process with the address of the database reads, and one at a time writes. */
export interface PostgresStore extends EventStore {
  /** Ends readers that follow, and gives every connection back. */
  close(): Promise<void>;
}

/**
 * Opens the store and lays its tables where they are missing.
 *
 * @throws MassgenError `STORE_FAILED` when the database is out of reach or refuses
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const database = openDatabase(options);
  const closing = new AbortController();
  try {
    await migrate(database);
  } catch (error) {
    await database.pool.end();
    throw error;
  }
  const ears = openEars(database.newClient, eventsChannel(database.schema));
  const { append, read } = eventStore(database, ears);
  return {
    append,
    read: (runId, { signal, ...range } = {}) =>
      read(runId, { ...range, signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]) }),
    async close() {
      closing.abort();
      await ears.close();
      await database.pool.end();
    },
  };
}
