import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recorded } from "@massgen/contracts";
import { createEventsFileStore, openRunLog, readRunLog } from "@massgen/logs";
import { virtualClock } from "@massgen/testing";
import { inTempFolder } from "../files/trees.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { decisionsOf } from "./facts.js";
import { countStatusWrites } from "./status.js";

const RUN = "20260102_101529_000000";

/** What is exact: every cut of the end of a log, and what stands beside it. */
export async function countLogs({ quick, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  const metrics: Metric[] = [];
  if (wants("log.torn")) metrics.push(await countCuts(quick ? 97 : 1));
  if (wants("log.artefacts")) metrics.push(...(await countArtefacts(quick ? 40 : 200)));
  if (wants("log.status")) metrics.push(await countStatusWrites(quick ? 10 : 600));
  return metrics;
}

/** Cuts of the last two decisions, at every `step`-th byte, after which anything but the whole decisions before was read. */
function countCuts(step: number): Promise<Metric> {
  return inTempFolder(async (folder) => {
    const whole = join(folder, "whole");
    await mkdir(whole);
    const decisions = decisionsOf(RUN, 12);
    const store = createEventsFileStore({ folderOf: () => whole });
    for (const decision of decisions) await store.append(RUN, decision[0]!.seq - 1, decision, "flushed");
    await store.close();
    const bytes = await readFile(join(whole, "events.jsonl"));
    const ends = endsOfDecisions(bytes);
    const from = ends.at(-3) ?? 0;
    const torn = join(folder, "torn");
    await mkdir(torn);
    let wrong = 0;
    let cuts = 0;
    for (let cut = from; cut <= bytes.length; cut += step) {
      cuts += 1;
      await writeFile(join(torn, "events.jsonl"), bytes.subarray(0, cut));
      const expected = ends.filter((end) => end <= cut).length;
      const records = await readRunLog(torn).catch(() => null);
      if (records === null || records.length !== decisions.slice(0, expected).flat().length) wrong += 1;
    }
    return counted(
      { bench: "log.torn", variant: `${cuts} cuts`, metric: "cuts read wrongly", unit: "" },
      { ours: wrong },
      { must: 0, aim: 0 },
    );
  });
}

/** Bytes of the file after each whole decision. */
function endsOfDecisions(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  let begin = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, begin)) {
    if ((JSON.parse(bytes.toString("utf8", begin, at)) as { readonly closes: boolean }).closes) ends.push(at + 1);
    begin = at + 1;
  }
  return ends;
}

/** A run with all its files: what stands beside `events.jsonl` when it is over, over the log itself. */
function countArtefacts(count: number): Promise<readonly Metric[]> {
  return inTempFolder(async (folder) => {
    const decisions = decisionsOf(RUN, count);
    const [start] = decisions[0]!;
    if (start?.type !== "run_started") throw new Error("a run begins with its start");
    const log = await openRunLog({
      question: start.question,
      runId: RUN,
      seed: 1,
      agents: start.agents,
      clock: virtualClock(start.at),
      version: "0.0.0",
      cwd: folder,
      zone: () => 0,
    });
    for (const decision of decisions) {
      await log.store.append(RUN, decision[0]!.seq - 1, decision, "flushed");
      for (const record of decision as readonly Recorded[]) log.watch(record);
    }
    await log.finish();
    const files = (await readdir(log.root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const sizes = await Promise.all(
      files.map(async (entry) => ({ name: entry.name, bytes: (await stat(join(entry.parentPath, entry.name))).size })),
    );
    const events = sizes.find(({ name }) => name === "events.jsonl")?.bytes ?? 1;
    const beside = sizes.filter(({ name }) => name !== "events.jsonl").reduce((sum, { bytes }) => sum + bytes, 0);
    const name = { bench: "log.artefacts", variant: `${count} decisions` };
    return [
      counted({ ...name, metric: "bytes beside the log", unit: "bytes" }, { ours: beside, floor: events }, { must: 6, aim: 3 }),
      counted({ ...name, metric: "files beside the log", unit: "" }, { ours: files.length - 1 }),
    ];
  });
}
