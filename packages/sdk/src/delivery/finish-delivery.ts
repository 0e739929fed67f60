import { join } from "node:path";
import type { Environment } from "@massgen/config";
import { safeNames } from "@massgen/logs";
import { environmentSecrets, redactorOf } from "../redactor-of.js";
import type { KnownRun } from "../resume-run.js";
import type { ChangesReport, ReviewChanges } from "./report.js";
import { undeliveredFolder } from "./undelivered.js";

export interface FinishDeliveryOptions {
  /** Absent: what was to be asked for still waits. */
  readonly reviewChanges?: ReviewChanges;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/**
 * Goes on with the delivery of a run that is over, when something of it still waits: its program died over it, or nobody
 * decided. `null` when nothing waits.
 */
export async function finishDelivery(
  { folder, metadata, records }: KnownRun,
  { reviewChanges, env, signal }: FinishDeliveryOptions,
): Promise<ChangesReport | null> {
  const presented = records.findLast((record) => record.type === "presentation_finished");
  if (presented === undefined) return null;
  const { readKeptChanges } = await import("@massgen/workspace");
  const kept = readKeptChanges(placeOf(metadata));
  if (kept === null) return null;
  const { deliverChanges } = await import("./deliver-changes.js");
  const { agent: presenter, content: answer, fallback } = presented;
  return deliverChanges({
    runId: metadata.runId,
    presenter,
    answer,
    kept,
    isWhole: fallback === null || fallback === "skipped",
    review: kept.askFirst ? reviewChanges : undefined,
    signal,
    recordIn: recordFolder({ folder, metadata }, presenter),
    redact: redactorOf(environmentSecrets(env)),
  });
}

/** Where the changes of a logged run wait. */
export const placeOf = ({ cwd, runId }: KnownRun["metadata"]): string => undeliveredFolder(join(cwd, ".massgen"), runId);

/** Where it is written what became of them. */
export const recordFolder = ({ folder, metadata }: Pick<KnownRun, "folder" | "metadata">, presenter: string): string =>
  join(folder, "final", safeNames(metadata.agents).get(presenter) ?? presenter);
