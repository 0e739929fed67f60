import type { RunWorker } from "@massgen/store-postgres";
import { openTeams } from "../teams.js";
import type { RunWorkerOptions } from "./options.js";
import { playQueued } from "./play-queued.js";

/** Takes runs out of the queue and plays them. One in a process. @throws MassgenError `STORE_FAILED` */
export async function startRunWorker(options: RunWorkerOptions): Promise<RunWorker> {
  // Loaded where it is asked for: most processes have no database.
  const { startWorker } = await import("@massgen/store-postgres");
  const teams = openTeams(options);
  const { databaseUrl, concurrency, onNote, deadAfterMs } = options;
  return startWorker({
    url: databaseUrl,
    concurrency,
    onNote,
    ...(deadAfterMs === undefined ? {} : { deadAfterMs, signEveryMs: Math.min(2_000, Math.ceil(deadAfterMs / 5)) }),
    play: (taken) => playQueued(taken, options, teams),
  });
}
