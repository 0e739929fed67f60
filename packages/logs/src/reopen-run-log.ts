import type { AgentCard, AgentId, Clock } from "@massgen/contracts";
import type { AgentEquipment } from "@massgen/views";
import { createRunStore } from "./attempts/run-store.js";
import { placeOf } from "./attempts/turn-folders.js";
import { createStepFolders } from "./files/step-folders.js";
import { recentGitInfo } from "./git-info.js";
import { systemZone, type ZoneOffset } from "./local-time.js";
import { once } from "./open-run-log.js";
import type { RunMetadata } from "./read-metadata.js";
import { secretsInConfig } from "./redact/find-secrets.js";
import { createRedactor } from "./redact/redactor.js";
import { createRunLog, type RunLog } from "./run-log.js";

export interface ReopenOptions {
  readonly folder: string;
  readonly metadata: RunMetadata;
  /** Cards of the agents that go on, in the order of the config. */
  readonly agents: readonly AgentCard[];
  readonly clock: Clock;
  readonly debug?: boolean;
  /** Values that must be in no file. */
  readonly secrets?: readonly string[];
  readonly onWarning?: (message: string) => void;
  /** What agents work with on this machine, for `status.json`. */
  readonly equipment?: ReadonlyMap<AgentId, AgentEquipment>;
  readonly zone?: ZoneOffset;
}

/**
 * Goes on with the log of a run that stopped: the right to write it is taken first, a torn decision is cut off, files that
 * grow are added to, and all others are made again from the record.
 *
 * @throws MassgenError `STORE_CONFLICT` when another process writes this log, `STORE_FAILED` when it is damaged.
 */
export async function reopenRunLog(options: ReopenOptions): Promise<RunLog> {
  const { metadata, clock, agents } = options;
  const place = await placeOf(options.folder);
  const zone = options.zone ?? systemZone;
  const onWarning = once(options.onWarning ?? (() => {}));
  const redactor = createRedactor([...(options.secrets ?? []), ...secretsInConfig(metadata.config)]);
  const folders = createStepFolders(zone);
  folders.nameAgents(metadata.agents);
  const marks: Readonly<Record<string, boolean>> = metadata.simulated ? { simulated: true } : {};
  const { maxAttempts } = metadata;
  const store = createRunStore({ root: place.base, runId: metadata.runId, maxAttempts, redactor, zone, folders, marks, onWarning });
  const history = await store.claim(metadata.runId);
  const { question, configPath, config, cliArgs, overrides, version, cwd, runId, seed, simulated, timestamp } = metadata;
  return createRunLog({
    place,
    store,
    folders,
    redactor,
    zone,
    clock,
    debug: options.debug ?? false,
    git: recentGitInfo(cwd),
    history,
    maxAttempts,
    onWarning,
    metadata: {
      question,
      startedAt: Date.parse(timestamp) || (history[0]?.at ?? clock.now()),
      configPath,
      config,
      cliArgs,
      overrides,
      version,
      cwd,
      runId,
      seed,
      simulated,
      agents,
      turn: place.turn,
      equipment: options.equipment ?? new Map(),
    },
  });
}
