import type { RunQueue } from "@massgen/store-postgres";
import type { FastifyRequest } from "fastify";
import type { Admission } from "./admission.js";
import type { Metrics } from "./metrics.js";
import type { ServerOptions } from "./options.js";
import type { Runs } from "./runs/open-runs.js";
import type { Teams } from "./teams.js";

/** What the routes share; one per server. */
export interface ServerContext {
  readonly options: ServerOptions;
  readonly teams: Teams;
  readonly admission: Admission;
  readonly metrics: Metrics;
  readonly runs: Runs;
  /** Where runs wait for workers; `null`: they are played here. */
  readonly queue: RunQueue | null;
  /** Takes the folders of this server out of a text for clients. */
  readonly hidePaths: (text: string) => string;
  /** The name of the key a request came with; `null` where none is asked for. */
  readonly keyNameOf: (request: FastifyRequest) => string | null;
  /** Aborted when running requests are given up. */
  readonly stopping: AbortSignal;
}
