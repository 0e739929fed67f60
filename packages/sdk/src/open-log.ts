import type { LoadedConfig } from "@massgen/config";
import type { AgentCard, AgentId, RunId } from "@massgen/contracts";
import { type HistoryMessage, systemAmbient } from "@massgen/core";
import { openRunLog, type RunLog } from "@massgen/logs";
import type { AgentEquipment } from "@massgen/views";

/** How the log of a run is kept. */
export interface LogSettings {
  readonly cwd: string;
  /** Version of the program, for the metadata. */
  readonly version: string;
  readonly configPath?: string | null;
  /** What the program was called with, for the metadata. */
  readonly cliArgs?: unknown;
  readonly debug?: boolean;
  /** No model is asked: every file says so. */
  readonly simulated?: boolean;
  /** It is a turn of a conversation; `root` is where the log of the first one is. */
  readonly turn?: { readonly number: number; readonly root: string | null };
  /** Told once when something cannot be written; the run goes on. */
  readonly onWarning?: (message: string) => void;
}

export interface LogSubject {
  readonly question: string;
  readonly history: readonly HistoryMessage[];
  readonly runId: RunId;
  readonly seed: number;
  readonly maxAttempts: number;
  readonly cards: readonly AgentCard[];
  readonly loaded: LoadedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What must be in no file. */
  readonly secrets: readonly string[];
  readonly equipment: ReadonlyMap<AgentId, AgentEquipment>;
}

/** Begins the log of a run. */
export function openLog(
  settings: LogSettings,
  { question, history, runId, seed, maxAttempts, cards, loaded, env, secrets, equipment }: LogSubject,
): Promise<RunLog> {
  const baseDir = env["MASSGEN_LOG_BASE_DIR"];
  return openRunLog({
    question,
    history,
    runId,
    seed,
    maxAttempts,
    agents: cards,
    clock: systemAmbient().clock,
    version: settings.version,
    cwd: settings.cwd,
    configPath: settings.configPath ?? null,
    config: loaded.raw,
    cliArgs: settings.cliArgs ?? {},
    overrides: loaded.overrides,
    simulated: settings.simulated ?? false,
    debug: settings.debug ?? false,
    secrets,
    equipment,
    ...(baseDir ? { baseDir } : {}),
    ...(settings.turn === undefined ? {} : { turn: settings.turn }),
    ...(settings.onWarning === undefined ? {} : { onWarning: settings.onWarning }),
  });
}
