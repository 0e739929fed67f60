import type { RunWorker } from "@massgen/store-postgres";
import type { ServerOptions } from "../options.js";
import { openTeams } from "../teams.js";
import { playQueued } from "./play-queued.js";

/** What a worker is made of: where it works, as for a server, and whose queue it serves. */
export interface RunWorkerOptions
  extends Pick<
    ServerOptions,
    "cwd" | "home" | "env" | "examplesDir" | "config" | "defaultModel" | "allowAnyPath" | "fetch" | "observeRun"
  > {
  readonly databaseUrl: string;
  /** Runs at a time. */
  readonly concurrency: number;
  readonly onNote: (message: string) => void;
  /** Milliseconds without a sign of life after which a worker counts as dead. Default 15,000. */
  readonly deadAfterMs?: number;
}

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
