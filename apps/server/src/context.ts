import type { Admission } from "./admission.js";
import type { Metrics } from "./metrics.js";
import type { ServerOptions } from "./options.js";
import type { Teams } from "./teams.js";

/** What the routes share; one per server. */
export interface ServerContext {
  readonly options: ServerOptions;
  readonly teams: Teams;
  readonly admission: Admission;
  readonly metrics: Metrics;
  /** Aborted when running requests are given up. */
  readonly stopping: AbortSignal;
}
