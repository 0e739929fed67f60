import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentCard, Recorded, RunEvent } from "@massgen/contracts";
import { type VirtualClock, virtualClock } from "@massgen/testing";
import { type FinishedLog, openRunLog, type RunLog, type RunLogOptions, type RunOutcome } from "../src/index.js";
import { byDecision, cardsIn, RUN, START, zone } from "./frozen-logs.js";
import { tempFolder } from "./temp-folder.js";

export interface Opened {
  readonly folder: string;
  readonly log: RunLog;
  readonly clock: VirtualClock;
  readonly warnings: readonly string[];
}

export interface Played extends Opened {
  readonly finished: FinishedLog;
}

export async function openLog(agents: readonly AgentCard[], options: Partial<RunLogOptions> = {}): Promise<Opened> {
  const folder = options.cwd ?? (await tempFolder());
  const clock = virtualClock(START - 20);
  const warnings: string[] = [];
  const log = await openRunLog({
    question: "Compare two caching strategies",
    runId: RUN,
    seed: 421_337,
    agents,
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
  for (const decision of byDecision(records)) {
    await log.store.append(RUN, decision[0]!.seq - 1, decision, "flushed");
    for (const record of decision) for (const event of [...before(record), record]) log.watch(event);
  }
}

export async function playRun(records: readonly Recorded[], options: Partial<RunLogOptions> = {}, outcome?: RunOutcome): Promise<Played> {
  const [first] = records;
  const question = first?.type === "run_started" ? first.question : "";
  const opened = await openLog(cardsIn(records), { question, ...options });
  await feed(opened.log, records);
  await opened.clock.advance((records.at(-1)?.at ?? START) - opened.clock.now());
  return { ...opened, finished: await opened.log.finish(outcome) };
}

/** Every file below a folder, with `/`, sorted. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => file.slice(folder.length + 1).replaceAll("\\", "/")).sort();
}

export const textIn = (folder: string, path: string): Promise<string> => readFile(join(folder, path), "utf8");
export const jsonIn = async (folder: string, path: string): Promise<ReturnType<typeof JSON.parse>> =>
  JSON.parse(await textIn(folder, path));

/** Real files appear when the disk is done with them, which no virtual clock sees. */
export async function eventually<T>(look: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (let turn = 0; turn < 2_000; turn++) {
    const value = await look();
    if (isThere(value)) return value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error("it never came");
}
