import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { type Delta, type EventStore, type JsonValue, MassgenError } from "@massgen/contracts";
import { type DatabaseOptions, openDatabase } from "../database.js";
import { deltaChannel } from "../deltas.js";
import { eventStore, eventsChannel } from "../event-store.js";
import { openEars } from "../listen.js";
import { migrate } from "../migrate.js";
import { attendance } from "./attendance.js";
import { APPLICATION, APPLICATION_VERSION, clientOf, dbosSchema, migrateDbos, QUEUE, quiet, WORKFLOW } from "./dbos.js";
import { filesTable } from "./files-table.js";
import { reviewsTable } from "./reviews-table.js";
import { type HeardMessage, type QueuedRun, runsChannel, runsTable } from "./runs-table.js";

/** A run that this worker has. */
export interface TakenRun {
  readonly run: QueuedRun;
  readonly store: EventStore;
  /** Keeps a file of the run, for whoever asks any server. */
  readonly putFile: (path: string, content: Buffer) => Promise<void>;
  /** Says what became of the changes of the run, or that they wait. */
  readonly putReview: (review: JsonValue) => Promise<void>;
  /** Earlier turns of its session, oldest first. */
  readonly turnsBefore: () => Promise<readonly QueuedRun[]>;
  /** Passes on what passes after the record `after`, to whoever watches. Rejects when the database is out of reach. */
  readonly sendDeltas: (after: number, deltas: readonly Delta[]) => Promise<void>;
  /** What has been said to the run from its beginning on, and what will be; ends with `signal`. */
  readonly messages: (signal: AbortSignal) => AsyncIterable<HeardMessage>;
}

export interface WorkerOptions extends DatabaseOptions {
  /** Runs at a time. DBOS keeps one number for all workers of a queue: that of the worker started last. */
  readonly concurrency: number;
  /**
   * Plays a run from where its log stops, and says what came of it. `STORE_CONFLICT` and `STORE_FAILED` are tried again as
   * long as the run is this worker's; any other error is the result `{ error: message }`.
   */
  readonly play: (taken: TakenRun) => Promise<JsonValue>;
  /** Told in sentences what happens beside the runs. */
  readonly onNote: (message: string) => void;
  /** Between two signs of life. Default 2,000. */
  readonly signEveryMs?: number;
  /** Without a sign of life for so long a worker counts as dead. Default 15,000. */
  readonly deadAfterMs?: number;
}

export interface RunWorker {
  readonly id: string;
  readonly active: () => number;
  /** Resolves, with the reason, when the others have taken this worker for dead: it must end its process at once. */
  readonly lost: Promise<string>;
  /** Takes no more runs, waits for those it has up to `graceMs`, and leaves the others to the next worker. */
  drain(graceMs: number): Promise<void>;
}

const RETRY_MS = 1_000;
const LISTEN_MS = 2_000;

/** Starts to take runs. One worker in a process: DBOS knows only one. @throws MassgenError `STORE_FAILED` */
export async function startWorker(options: WorkerOptions): Promise<RunWorker> {
  const { url, concurrency, play, onNote, signEveryMs = 2_000, deadAfterMs = 15_000 } = options;
  const id = `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`;
  const database = openDatabase({ ...options, maxConnections: options.maxConnections ?? 10 + concurrency });
  const { pool, schema, newClient } = database;
  try {
    await migrate(database);
    await migrateDbos(database, url);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const client = await clientOf(database, url);
  const list = attendance(database, client, id, deadAfterMs);
  const ears = openEars(newClient, runsChannel(schema));
  const logEars = openEars(newClient, eventsChannel(schema));
  const deltas = deltaChannel(database);
  const table = runsTable(database);
  const files = filesTable(database);
  const reviews = reviewsTable(database);
  const store = eventStore(database, logEars);
  const active = new Set<string>();
  const stopped = new AbortController();

  async function* messagesOf(run: string, signal: AbortSignal): AsyncGenerator<HeardMessage> {
    const known: number[] = [];
    // Without a connection there is nothing to wait for, and asking again and again would never let the process end.
    while (!signal.aborted && !stopped.signal.aborted) {
      const enough = new AbortController();
      const notice = ears.next(run, LISTEN_MS, AbortSignal.any([signal, stopped.signal, enough.signal]));
      try {
        for (const message of await table.heard(run, known).catch(() => [])) {
          known.push(message.number);
          yield message;
        }
        await notice;
      } finally {
        enough.abort();
      }
    }
  }

  /** Settles only when the run is over: what DBOS takes for an end is never taken up again. */
  async function perform(runId: string): Promise<void> {
    for (;;) {
      const run = await table.take(runId, id).catch(() => undefined);
      if (run === null) return;
      if (run === undefined) {
        await sleep(RETRY_MS);
        continue;
      }
      const result = await playOnce(run);
      if (result === null) await whileOthersHave(runId);
      else if (await finish(runId, result)) return;
      await sleep(RETRY_MS);
    }
  }

  /** `null`: to be tried again. */
  async function playOnce(run: QueuedRun): Promise<JsonValue> {
    try {
      return await play({
        run,
        store,
        putReview: (review) => reviews.put(run.id, review),
        putFile: (path, content) => files.put(run.id, path, content),
        turnsBefore: () => table.turnsBefore(run),
        sendDeltas: (after, some) => deltas.send(run.id, after, some),
        messages: (signal) => messagesOf(run.id, signal),
      });
    } catch (error) {
      if (MassgenError.is(error, "STORE_CONFLICT") || MassgenError.is(error, "STORE_FAILED")) {
        onNote(`run ${run.id}: ${error.message}`);
        return null;
      }
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  const finish = (runId: string, result: JsonValue): Promise<boolean> =>
    table.end(runId, result).then(
      () => true,
      () => false,
    );

  /** Another worker has it: this one has been taken for dead, and its process is about to end. */
  async function whileOthersHave(runId: string): Promise<void> {
    while (!(await table.isWith(runId, id).catch(() => true))) await sleep(RETRY_MS);
  }

  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: dbosSchema(schema),
    systemDatabasePool: pool,
    executorID: id,
    applicationVersion: APPLICATION_VERSION,
    logger: quiet,
    listenQueues: [QUEUE],
    runMigrations: false,
  });
  DBOS.registerWorkflow(
    async (runId: string) => {
      active.add(runId);
      try {
        await perform(runId);
      } finally {
        active.delete(runId);
      }
    },
    { name: WORKFLOW, maxRecoveryAttempts: 1_000_000 },
  );
  await list.enter();
  await client.registerQueue(QUEUE, { workerConcurrency: concurrency, minPollingIntervalMs: 500 });
  await DBOS.launch();

  const lost = new Promise<string>((resolve) => void attend(resolve));

  async function attend(onLost: (reason: string) => void): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        if (!(await list.sign(active.size))) return onLost(`no sign of life for ${deadAfterMs / 1000} seconds; others have its runs`);
        const left = await list.clearAway();
        if (left.length > 0) onNote(`put back ${left.length} runs of workers that are gone: ${left.join(", ")}`);
      } catch (error) {
        if (!stopped.signal.aborted) onNote(`the database is out of reach: ${error instanceof Error ? error.message : String(error)}`);
      }
      await sleep(signEveryMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  return {
    id,
    active: () => active.size,
    lost,
    async drain(graceMs) {
      // Stops taking, and waits; signs of life go on meanwhile.
      await DBOS.shutdown({ workflowCompletionTimeoutMS: graceMs });
      stopped.abort();
      // Whatever is left goes to the others now instead of when this worker is missed.
      await list.leave();
      await list.clearAway();
      await Promise.all([ears.close(), logEars.close(), deltas.close()]);
      await client.destroy();
      await pool.end();
    },
  };
}
