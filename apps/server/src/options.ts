import type { Recorded } from "@massgen/contracts";
import type { KeyRing } from "./keys.js";

/** What a server is made of; nothing is read from the process. */
export interface ServerOptions {
  /** Absolute. Where `.massgen` lies and relative paths begin. */
  readonly cwd: string;
  readonly home: string;
  /** Provider keys and `MASSGEN_…`, as the runs are to see them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of `@examples/`; `null` without examples. */
  readonly examplesDir: string | null;
  /** Name or path of the default config; `null` finds that of project or user, if there is one. */
  readonly config: string | null;
  /** Model of every agent of the default config; without a config, of a team of one. `null`: as configured. */
  readonly defaultModel: string | null;
  /** `null`: nobody needs a key. */
  readonly keys: KeyRing | null;
  /** Runs at a time; more are refused with 429. */
  readonly maxConcurrent: number;
  /** Requests per key, or per address without keys, and minute; `null`: no limit. */
  readonly requestsPerMinute: number | null;
  /** Origins that browsers may call from; empty: none but the server's own. */
  readonly corsOrigins: readonly string[];
  /**
   * Names under which the server may be called, lower case, without port; `null`: any. Without keys this keeps pages of the
   * web from calling a server on this machine under a name of theirs.
   */
  readonly allowedHosts: readonly string[] | null;
  /** Whether `massgen/path:…` may leave `cwd`. */
  readonly allowAnyPath: boolean;
  /** Whether runs keep their logs. */
  readonly keepLogs: boolean;
  /** Runs of the run API go into a queue in this PostgreSQL, for workers to play. Default: they are played here. */
  readonly database?: {
    readonly url: string;
    /** Runs that may wait for a worker; more are refused with 429. */
    readonly mostWaiting: number;
  };
  /**
   * Only shows runs that are on the disk, with neither config nor key of a vendor: nothing is there that starts, steers or
   * decides one, or writes keys or teams, and what asks for it is 403; `database` and `setup` do not count. `logs`: folders of
   * logs that are shown too, wherever they lie, by the ids they are to have (letters, digits, `_`, `-`). Default: all of the API.
   */
  readonly recorded?: { readonly logs: Readonly<Record<string, string>> };
  /** Called for each run that this server or worker plays; gets its facts, and is told when there are no more. */
  readonly observeRun?: () => { readonly record: (fact: Recorded) => void; readonly end: () => void };
  /** Folder of the built page (`webFolder` of `@massgen/web`), served at `/`. Default: no page. */
  readonly web?: URL | string;
  /**
   * Whether keys and teams may be written over the API (`/api/setup`, `/api/configs`), as the page does it. Default false: whoever
   * can call the server could make it run programs that a config names.
   */
  readonly setup?: boolean;
  /** What of `env` the process was started with: it counts more than a key that is stored while the server runs. Default: nothing. */
  readonly processEnv?: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Gets each line of the server's own log, JSON; `null`: none. */
  readonly log: { readonly write: (line: string) => void; readonly level: "debug" | "info" | "warn" | "error" } | null;
  /** Carries the requests to the vendors. Default: that of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Largest body of a request, bytes (docs/spec/cli.md 17.7). */
export const MAX_BODY_BYTES: number = 20 * 1024 * 1024;
