import type { EventStore, Recorded, RunId } from "@massgen/contracts";
import type { RunLog } from "@massgen/logs";
import { type LogSettings, openLog } from "./open-log.js";
import { assembleRun, type PreparedRun, type RunPlan } from "./prepare-run.js";

export interface StoredRunPlan extends Omit<RunPlan, "logs"> {
  readonly runId: RunId;
  /** Keeps the events of the run, without the secrets of the run. One process at a time may write a run. */
  readonly store: EventStore;
  /** A log folder besides, with everything a run leaves: a new one for each process that plays the run. Default: none. */
  readonly logs?: LogSettings;
}

/**
 * Makes a run ready whose events are kept in a store of the caller's. A run that the store knows goes on where it stopped:
 * accepted answers, votes and spent tokens are kept, and only rounds that were under way begin again.
 *
 * @throws MassgenError for a config, a key or a question that is not good; no model has been called then
 */
export async function prepareStoredRun({ runId, store, logs, ...plan }: StoredRunPlan): Promise<PreparedRun> {
  let log: RunLog | null = null;
  return assembleRun(plan, {
    runId,
    seed: await seedOf(store, runId),
    async openLog(subject) {
      log = logs === undefined ? null : await openLog(logs, subject);
      return log;
    },
    storeFor(redact) {
      const clean = withoutSecrets(store, redact);
      return log === null ? clean : alsoIn(log.store, clean);
    },
  });
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

/** The first store says what is; the log gets what it had before this process, and then each decision after it. */
function alsoIn(log: EventStore, store: EventStore): EventStore {
  return {
    async *read(runId, range) {
      let decision: Recorded[] = [];
      for await (const record of store.read(runId, range)) {
        decision.push(record);
        if (record.closes) {
          await log.append(runId, record.seq - decision.length, decision, "buffered");
          decision = [];
        }
        yield record;
      }
    },
    async append(runId, after, decision, durability) {
      await store.append(runId, after, decision, durability);
      await log.append(runId, after, decision, "buffered");
    },
  };
}
