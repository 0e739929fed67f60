import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Environment, LoadedConfig } from "@massgen/config";
import type { HumanBroker, Recorded, RunEvent } from "@massgen/contracts";
import { systemAmbient } from "@massgen/core";
import { newestTurnIn, type RunMetadata, readConversation, readRunLog, readRunMetadata, reopenRunLog } from "@massgen/logs";
import type { ReviewChanges } from "./delivery/report.js";
import type { AllowUnconfined } from "./hands/allow-unconfined.js";
import type { Elicit } from "./hands/elicit.js";
import { assembleRun, type PreparedRun } from "./prepare-run.js";
import { recordedConfig } from "./recorded-config.js";

export interface ResumePlan {
  /** Absolute: the folder of the log. */
  readonly folder: string;
  readonly env: Environment;
  /** In place of the recorded config, for runs whose models are stand-ins. */
  readonly loaded?: LoadedConfig;
  readonly debug?: boolean;
  readonly onWarning?: (message: string) => void;
  /** As of a new run. */
  readonly reviewChanges?: ReviewChanges;
  readonly human?: HumanBroker;
  readonly elicit?: Elicit;
  readonly allowUnconfined?: AllowUnconfined;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
  readonly onEvent?: (event: RunEvent) => void;
}

/** What a log folder holds. */
export interface KnownRun {
  readonly folder: string;
  readonly metadata: RunMetadata;
  readonly records: readonly Recorded[];
  readonly isFinished: boolean;
}

export interface ResumedRun {
  readonly prepared: PreparedRun;
  /** What to know before it goes on, for people. */
  readonly notes: readonly string[];
}

/** Looks at the log of a run, of a conversation at that of its newest turn, without touching it. @throws MassgenError `STORE_FAILED` when there is none, or it is damaged */
export async function readKnownRun(given: string): Promise<KnownRun> {
  const folder = await newestTurnIn(given);
  const metadata = await readRunMetadata(folder);
  // A run that stopped before its first decision has a folder and no record yet.
  const records = (await hasEvents(folder)) ? await readRunLog(folder) : [];
  return { folder, metadata, records, isFinished: records.at(-1)?.type === "run_finished" };
}

/**
 * Makes a run ready to go on after a crash: with every accepted answer, vote and dollar on record, in its own folder.
 *
 * @throws MassgenError `STORE_CONFLICT` when another process runs it, `CONFIG_INVALID` or `MISSING_API_KEY` when the recorded
 * config cannot be used any more; no model has been called then
 */
export async function prepareResume(plan: ResumePlan): Promise<ResumedRun> {
  const { env, debug, onWarning } = plan;
  const folder = await newestTurnIn(plan.folder);
  const metadata = await readRunMetadata(folder);
  const { loaded, notes } = plan.loaded === undefined ? await recordedConfig(metadata, env) : { loaded: plan.loaded, notes: [] };
  const { signal, fetch, onEvent, reviewChanges, human, elicit, allowUnconfined } = plan;
  const prepared = await assembleRun(
    {
      question: metadata.question,
      history: await readConversation(folder),
      loaded,
      env,
      cwd: metadata.cwd,
      modulesFrom: [...(metadata.configPath === null ? [] : [dirname(metadata.configPath)]), metadata.cwd],
      ...(signal === undefined ? {} : { signal }),
      ...(fetch === undefined ? {} : { fetch }),
      ...(reviewChanges === undefined ? {} : { reviewChanges }),
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(human === undefined ? {} : { human }),
      ...(elicit === undefined ? {} : { elicit }),
      ...(allowUnconfined === undefined ? {} : { allowUnconfined }),
    },
    {
      runId: metadata.runId,
      seed: metadata.seed,
      openLog: ({ cards, secrets, equipment }) =>
        reopenRunLog({
          folder,
          metadata,
          agents: cards,
          clock: systemAmbient().clock,
          secrets,
          equipment,
          ...(debug === undefined ? {} : { debug }),
          ...(onWarning === undefined ? {} : { onWarning }),
        }),
    },
  );
  return { prepared, notes };
}

const hasEvents = async (folder: string): Promise<boolean> =>
  (await exists(join(folder, "events.jsonl"))) || exists(join(folder, "attempt_1", "events.jsonl"));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
