import type { EventStore, Recorded, RunId } from "@massgen/contracts";
import { assembleRun, type PreparedRun, type RunPlan } from "./prepare-run.js";

export interface StoredRunPlan extends Omit<RunPlan, "logs"> {
  readonly runId: RunId;
  /** Keeps the events of the run, without the secrets of the run. One process at a time may write a run. */
  readonly store: EventStore;
}

/**
 * Makes a run ready whose events are kept in a store of the caller's, with no log folder. A run that the store knows goes on
 * where it stopped: accepted answers, votes and spent tokens are kept, and only rounds that were under way begin again.
 *
 * @throws MassgenError for a config, a key or a question that is not good; no model has been called then
 */
export async function prepareStoredRun({ runId, store, ...plan }: StoredRunPlan): Promise<PreparedRun> {
  const openLog = (): Promise<null> => Promise.resolve(null);
  return assembleRun(plan, { runId, seed: await seedOf(store, runId), openLog, storeFor: (redact) => withoutSecrets(store, redact) });
}

/** The seed a run was begun with; `null` for one that is not begun. */
async function seedOf(store: EventStore, runId: RunId): Promise<number | null> {
  for await (const record of store.read(runId)) return record.type === "run_started" ? record.seed : null;
  return null;
}

const withoutSecrets = (store: EventStore, redact: (text: string) => string): EventStore => ({
  read: store.read,
  append: (runId, after, decision, durability) =>
    store.append(
      runId,
      after,
      decision.map((record) => {
        const text = JSON.stringify(record);
        const clean = redact(text);
        return clean === text ? record : (JSON.parse(clean) as Recorded);
      }),
      durability,
    ),
});
