import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Clock, EpochMillis, Recorded, RunId } from "@massgen/contracts";
import { folderStamp, systemZone } from "../local-time.js";
import { openRunLog } from "../open-run-log.js";
import { type ForeignLog, foreignTurns, readForeignLog, textAt } from "./read-foreign.js";
import { factsOf } from "./to-facts.js";

export interface ImportOptions {
  readonly cwd: string;
  /** Folder of all logs, absolute. */
  readonly baseDir: string;
  /** Version of MassGen. */
  readonly version: string;
  /** Values that must be in no file. */
  readonly secrets: readonly string[];
  readonly onWarning: (message: string) => void;
}

export interface Imported {
  /** The folder of the new log, absolute. */
  readonly folder: string;
  readonly turns: number;
}

/**
 * Reads a log of MassGen in Python and writes it as one of ours, with its own times, so that everything that looks at logs
 * looks at it. What was read stays as it is. Of several attempts the newest one is taken.
 *
 * @throws MassgenError `STORE_FAILED` (exit code 1) when there is nothing that can be read
 */
export async function importLog(from: string, options: ImportOptions): Promise<Imported> {
  const turns = await foreignTurns(resolve(from));
  const logs: { readonly turn: number; readonly log: ForeignLog }[] = [];
  for (const { turn, folder } of turns) logs.push({ turn, log: await readForeignLog(folder) });
  let root: string | null = null;
  for (const { turn, log } of logs) root = await writeTurn(log, logs.length > 1 ? { number: turn, root } : null, options);
  // There is at least one, or reading had thrown.
  return { folder: root!, turns: logs.length };
}

async function writeTurn(
  foreign: ForeignLog,
  turn: { readonly number: number; readonly root: string | null } | null,
  options: ImportOptions,
): Promise<string> {
  const { cwd, baseDir, version, secrets, onWarning } = options;
  const runId = runIdFor(foreign);
  const { records, cards, question } = await factsOf(foreign, runId);
  const clock = pastClock(records[0]?.at ?? 0);
  const log = await openRunLog({
    question,
    runId,
    seed: 0,
    agents: cards,
    clock,
    version,
    cwd,
    baseDir,
    configPath: textAt(foreign.execution, "config_path"),
    config: foreign.execution["config"] ?? null,
    cliArgs: { command: "logs import", from: foreign.folder },
    secrets,
    onWarning,
    ...(turn === null ? {} : { turn }),
  });
  for (const decision of byDecision(records)) {
    clock.goTo(decision[0]!.at);
    await log.store.append(runId, decision[0]!.seq - 1, decision, "buffered");
    for (const record of decision) log.watch(record);
  }
  await log.finish();
  return log.root;
}

/** The time of its start, and letters that follow from where it was: the same log gets the same id. */
function runIdFor({ folder, events }: ForeignLog): RunId {
  const letters = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  const tail = Number.parseInt(letters, 16).toString(32).padStart(6, "0").slice(-6);
  return `${folderStamp(events[0]?.at ?? 0, systemZone).slice(0, 15)}_${tail}`;
}

function byDecision(records: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const decisions: Recorded[][] = [];
  for (const record of records) {
    const last = decisions.at(-1);
    if (last !== undefined && last[0]!.decision === record.decision) last.push(record);
    else decisions.push([record]);
  }
  return decisions;
}

/** A clock that stands at the time of what is told, so that files carry the times of the run and nothing waits. */
function pastClock(start: EpochMillis): Clock & { goTo(at: EpochMillis): void } {
  let now = start;
  return {
    now: () => now,
    monotonic: () => now - start,
    sleepUntil: (_at, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
    goTo: (at) => {
      now = Math.max(now, at);
    },
  };
}
