import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AgentCard, AgentId, Clock, RunId } from "@massgen/contracts";
import type { AgentEquipment } from "@massgen/views";
import { createRunStore } from "./attempts/run-store.js";
import { exists, keepFirstTurn, type TurnPlace, turnFolder } from "./attempts/turn-folders.js";
import { CONVERSATION } from "./conversation-file.js";
import { createRoot } from "./files/create-root.js";
import { createFileSink } from "./files/file-sink.js";
import { createStepFolders } from "./files/step-folders.js";
import { recentGitInfo } from "./git-info.js";
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
  /**
   * It is a turn of a conversation: its log is in `turn_<number>/` below the root of the first turn. `root`: that root; `null`
   * for the first one. Default: the run has a root for itself.
   */
  readonly turn?: { readonly number: number; readonly root: string | null };
  /** What was said before the question; kept beside the log, so that the run can be gone on with. */
  readonly history?: readonly { readonly role: string; readonly text: string }[];
  /** Also writes `massgen_debug.log`. Default false. */
  readonly debug?: boolean;
  /** Values that must be in no file: of the environment (`secretsInEnvironment`) and of wherever else keys come from. */
  readonly secrets?: readonly string[];
  /** Told once, in words for people, when something cannot be written. The run goes on. */
  readonly onWarning?: (message: string) => void;
  /** What agents work with on this machine, for `status.json`. */
  readonly equipment?: ReadonlyMap<AgentId, AgentEquipment>;
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
  const place = await openPlace(options.turn ?? null, () => createRoot(baseDir, startedAt, zone, onWarning), onWarning);
  const folders = createStepFolders(zone);
  folders.nameAgents(options.agents.map((card) => card.id));
  const marks: Readonly<Record<string, boolean>> = simulated ? { simulated: true } : {};

  const { history = [] } = options;
  if (history.length > 0) await createFileSink({ folder: place.base, redactor, onWarning }).json(CONVERSATION, history);

  return createRunLog({
    place,
    store: createRunStore({ root: place.base, runId, maxAttempts, redactor, zone, folders, marks, onWarning }),
    maxAttempts,
    onWarning,
    folders,
    redactor,
    zone,
    clock,
    debug: options.debug ?? false,
    git: recentGitInfo(cwd),
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
      turn: place.turn,
      equipment: options.equipment ?? new Map(),
    },
  });
}

/** The folder of a turn is made by whoever has the conversation open; one that is taken all the same is left alone. */
async function openPlace(
  turn: RunLogOptions["turn"] | null,
  createNew: () => Promise<string>,
  onWarning: (message: string) => void,
): Promise<TurnPlace> {
  if (turn == null) {
    const root = await createNew();
    return { root, base: root, turn: null };
  }
  const { number } = turn;
  if (turn.root !== null && (await exists(turn.root))) {
    const place = { root: turn.root, base: join(turn.root, turnFolder(number)), turn: number };
    try {
      if (number > 1) await keepFirstTurn(turn.root);
      await mkdir(place.base);
      return place;
    } catch (error) {
      onWarning(
        `${place.base} cannot be made (${error instanceof Error ? error.message : String(error)}). This turn has its log elsewhere.`,
      );
    }
  }
  const root = await createNew();
  return { root, base: join(root, turnFolder(number)), turn: number };
}

export function once(warn: (message: string) => void): (message: string) => void {
  let warned = false;
  return (message) => {
    if (warned) return;
    warned = true;
    warn(message);
  };
}
