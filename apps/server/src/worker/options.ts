import type { ServerOptions } from "../options.js";

/** What a worker is made of: where it works, as for a server, and whose queue it serves. */
export interface RunWorkerOptions
  extends Pick<
    ServerOptions,
    "cwd" | "home" | "env" | "examplesDir" | "config" | "defaultModel" | "allowAnyPath" | "fetch" | "observeRun" | "version"
  > {
  readonly databaseUrl: string;
  /** Runs at a time. */
  readonly concurrency: number;
  /** What its runs leave is kept in the database, up to 25 MB of each. */
  readonly keepsFiles: boolean;
  readonly onNote: (message: string) => void;
  /** Milliseconds without a sign of life after which a worker counts as dead. Default 15,000. */
  readonly deadAfterMs?: number;
}
