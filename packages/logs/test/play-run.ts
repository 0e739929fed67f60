import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recorded, RunEvent } from "@massgen/contracts";
import { type VirtualClock, virtualClock } from "@massgen/testing";
import { type FinishedLog, openRunLog, type RunLog, type RunLogOptions, type RunOutcome } from "../src/index.js";
import { cardsFor, type SampleRun, START } from "./sample-run.js";
import { tempFolder } from "./temp-folder.js";

export interface Played {
  readonly folder: string;
  readonly log: RunLog;
  readonly clock: VirtualClock;
  readonly finished: FinishedLog;
  readonly warnings: readonly string[];
}

export const RUN = "20260102_101529_k7q2mz";
/** UTC+1, so that a mix-up with UTC shows. */
export const zone = (): number => 60;

export async function openLog(
  ids: readonly string[],
  options: Partial<RunLogOptions> = {},
): Promise<{ readonly folder: string; readonly log: RunLog; readonly clock: VirtualClock; readonly warnings: string[] }> {
  const folder = options.cwd ?? (await tempFolder());
  const clock = virtualClock(START - 20);
  const warnings: string[] = [];
  const log = await openRunLog({
    question: "Compare two caching strategies",
    runId: RUN,
    seed: 421_337,
    agents: cardsFor(ids),
    clock,
    version: "0.1.0",
    cwd: folder,
    zone,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  return { folder, log, clock, warnings };
}

/** Plays facts as the runner does: each decision into the store, then to whoever watches. `before` gives events to watch first. */
export async function feed(
  log: RunLog,
  records: readonly Recorded[],
  before: (record: Recorded) => readonly RunEvent[] = () => [],
): Promise<void> {
  let decision: Recorded[] = [];
  for (const record of records) {
    decision.push(record);
    if (!record.closes) continue;
    await log.store.append(record.runId, decision[0]!.seq - 1, decision, "flushed");
    for (const one of decision) {
      for (const event of before(one)) log.watch(event);
      log.watch(one);
    }
    decision = [];
  }
}

export async function playRun(run: SampleRun, options: Partial<RunLogOptions> = {}, outcome?: RunOutcome): Promise<Played> {
  const started = run.records.find((record) => record.type === "run_started");
  const ids = started?.type === "run_started" ? started.agents.map((card) => card.id) : [];
  const opened = await openLog(ids, { question: run.state.question, ...options });
  await feed(opened.log, run.records);
  await opened.clock.advance((run.records.at(-1)?.at ?? START) - opened.clock.now());
  return { ...opened, finished: await opened.log.finish(outcome) };
}

/** Every file below a folder, with `/`, sorted. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

export const jsonIn = async (folder: string, path: string): Promise<ReturnType<typeof JSON.parse>> =>
  JSON.parse(await readFile(join(folder, path), "utf8"));
