export type { DatabaseOptions } from "./database.js";
export { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from "./open-store.js";
export { openRunQueue, type RunQueue } from "./queue/run-queue.js";
export type { HeardMessage, QueuedRun, RunMessage } from "./queue/runs-table.js";
export { type RunWorker, startWorker, type TakenRun, type WorkerOptions } from "./queue/worker.js";
