import { join, resolve } from "node:path";
import type { AgentCard, Clock, RunId } from "@massgen/contracts";
import { createRunStore } from "./attempts/run-store.js";
import { createRoot } from "./files/create-root.js";
import { createFileSink } from "./files/file-sink.js";
import { createStepFolders } from "./files/step-folders.js";
import { gitInfo } from "./git-info.js";
import { systemZone, type ZoneOffset } from "./local-time.js";
import { secretsInConfig } from "./redact/find-secrets.js";
import { createRedactor } from "./redact/redactor.js";
import { createRunLog, type RunLog } from "./run-log.js";

export interface RunLogOptions {
  readonly question: string;
  readonly runId: RunId;
  readonly seed: number;
  /** Cards with the ids of the configuration, in its order. */
  readonly agents: readonly AgentCard[];
  readonly clock: Clock;
  /** Version of MassGen. */
  readonly version: string;
  readonly cwd: string;
  /** Folder of all logs. Default: `.massgen/massgen_logs` below `cwd`. */
  readonly baseDir?: string;
  readonly configPath?: string | null;
  /** As loaded; what is secret in it is found and removed, here and in every other file. */
  readonly config?: unknown;
  readonly cliArgs?: unknown;
  /** What flags changed of the config. */
  readonly overrides?: unknown;
  /** Every screen, file and line of a run without models says so. Default false. */
  readonly simulated?: boolean;
  /** Attempts the run may take; with more than one each has a folder of its own. Default 1. */
  readonly maxAttempts?: number;
  /** Also writes `massgen_debug.log`. Default false. */
  readonly debug?: boolean;
  /** Values that must be in no file: of the environment (`secretsInEnvironment`) and of wherever else keys come from. */
  readonly secrets?: readonly string[];
  /** Told once, in words for people, when something cannot be written. The run goes on. */
  readonly onWarning?: (message: string) => void;
  /** Default: the zone of this machine. */
  readonly zone?: ZoneOffset;
}

/**
 * Begins the log of a run: its folder, its metadata and its first status are on disk when this resolves. Never rejects
 * because of the disk: a log that cannot be written costs a warning (EC66).
 */
export async function openRunLog(options: RunLogOptions): Promise<RunLog> {
  const { clock, cwd, question, runId, maxAttempts = 1 } = options;
  const zone = options.zone ?? systemZone;
  const onWarning = once(options.onWarning ?? (() => {}));
  const redactor = createRedactor([...(options.secrets ?? []), ...secretsInConfig(options.config), ...secretsInConfig(options.cliArgs)]);
  const simulated = options.simulated ?? false;
  const startedAt = clock.now();
  const baseDir = resolve(cwd, options.baseDir ?? join(".massgen", "massgen_logs"));
  const root = await createRoot(baseDir, startedAt, zone, onWarning);
  const folders = createStepFolders(zone);
  folders.nameAgents(options.agents.map((card) => card.id));
  const marks: Readonly<Record<string, boolean>> = simulated ? { simulated: true } : {};

  return createRunLog({
    root,
    sink: createFileSink({ folder: root, redactor, onWarning }),
    store: createRunStore({ root, runId, maxAttempts, redactor, zone, folders, marks, onWarning }),
    maxAttempts,
    onWarning,
    folders,
    redactor,
    zone,
    clock,
    debug: options.debug ?? false,
    git: gitInfo(cwd),
    history: null,
    metadata: {
      question,
      startedAt,
      configPath: options.configPath ?? null,
      config: options.config ?? null,
      cliArgs: options.cliArgs ?? {},
      overrides: options.overrides ?? {},
      version: options.version,
      cwd,
      runId,
      seed: options.seed,
      simulated,
      agents: options.agents,
    },
  });
}

export function once(warn: (message: string) => void): (message: string) => void {
  let warned = false;
  return (message) => {
    if (warned) return;
    warned = true;
    warn(message);
  };
}
