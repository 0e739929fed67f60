import { numberOf, textOf } from "./given-values.js";
import type { Given } from "./program.js";

/** A worker, as flags ask for it; `null` leaves a value to the environment, then to the default. */
export interface WorkerRequest {
  readonly kind: "worker";
  readonly databaseUrl: string | null;
  readonly config: string | null;
  readonly defaultModel: string | null;
  readonly concurrency: number | null;
  readonly drainSeconds: number | null;
  readonly allowAnyPath: boolean;
}

export const workerRequest = (given: Given): WorkerRequest => ({
  kind: "worker",
  databaseUrl: textOf(given, "--database-url"),
  config: textOf(given, "--config"),
  defaultModel: textOf(given, "--default-model"),
  concurrency: numberOf(given, "--concurrency"),
  drainSeconds: numberOf(given, "--drain-seconds"),
  allowAnyPath: given.has("--allow-any-path"),
});
