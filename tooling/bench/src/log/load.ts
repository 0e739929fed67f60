import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createEventsFileStore } from "@massgen/logs";
import { inTempFolder } from "../files/trees.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { counted, type Metric, timed } from "../harness/metric.js";
import { costOfNode } from "../harness/run-process.js";
import { decisionsOf } from "./facts.js";
import { foldLog } from "./fold-log.js";

/** A log of many facts: how long it takes to fold, in which memory, and how long until its end is reached. */
export async function timeLoads({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  const metrics: Metric[] = [];
  const few = { ...pairs, pairs: Math.min(3, pairs.pairs), warmUps: Math.min(1, pairs.warmUps) };
  for (const facts of quick ? [2_000] : [100_000, 1_000_000]) {
    if (!wants("log.load") && !wants("log.tail")) continue;
    metrics.push(
      ...(await inTempFolder(async (folder) => {
        const log = await longLog(join(folder, "log"), facts);
        const name = { bench: "log.load", variant: `${facts.toLocaleString("en")} facts` };
        const found: Metric[] = [];
        if (wants("log.load")) {
          const taken = await measurePairs(
            () => msOf(() => foldLog(log)),
            () => msOf(() => parseLines(log)),
            few,
          );
          found.push(
            timed(
              { ...name, metric: "wall time", unit: "ms" },
              comparePairs(taken, (ms) => ms),
              { must: 1.5, aim: 1.2 },
            ),
          );
          const program = fileURLToPath(new URL(`./fold-log-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url));
          const { peakRssMiB } = await costOfNode({ args: [program, log] });
          found.push(
            counted(
              { ...name, metric: "peak memory", unit: "MiB" },
              { ours: peakRssMiB },
              facts >= 1_000_000 ? { must: 200, aim: 200 } : {},
            ),
          );
        }
        if (wants("log.tail")) found.push(await timeTail(log, facts));
        return found;
      })),
    );
  }
  return metrics;
}

/** The last decision of a log that is opened for it, as a watcher that was there before does. */
async function timeTail(log: string, facts: number): Promise<Metric> {
  const runId = "20260102_101529_000000";
  const store = createEventsFileStore({ folderOf: () => log });
  const ms = await msOf(async () => {
    for await (const record of store.read(runId, { after: facts - 7 })) if (record.seq >= facts) break;
  });
  await store.close();
  const bytes = (await stat(join(log, "events.jsonl"))).size;
  return counted(
    { bench: "log.tail", variant: `${Math.round(bytes / 1e6)} MB`, metric: "wall time", unit: "ms" },
    { ours: ms },
    { must: 50, aim: 10 },
  );
}

/** Written once by the store, then its last lines again under new numbers: a million facts take seconds. */
async function longLog(folder: string, facts: number): Promise<string> {
  await mkdir(folder, { recursive: true });
  const runId = "20260102_101529_000000";
  const out = createWriteStream(join(folder, "events.jsonl"));
  const lines = await sampleLines(folder, runId);
  for (let seq = 1; seq <= facts; seq++) {
    const line = seq <= lines.length ? lines[seq - 1]! : lines[lines.length - 1 - (seq % (lines.length - 1))]!;
    const text = line
      .replace(/"event_id":"E\d+","seq":\d+/, `"event_id":"E${seq}","seq":${seq}`)
      .replace(/"decision":\d+,"closes":(?:true|false)/, `"decision":${seq},"closes":true`);
    if (!out.write(`${text}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
  return folder;
}

async function sampleLines(folder: string, runId: string): Promise<readonly string[]> {
  const own = join(folder, "sample");
  await mkdir(own);
  const store = createEventsFileStore({ folderOf: () => own });
  for (const decision of decisionsOf(runId, 60)) await store.append(runId, decision[0]!.seq - 1, decision, "buffered");
  await store.close();
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(join(own, "events.jsonl")) })) lines.push(line);
  return lines;
}

/** What no reader can go without: each line read and parsed. */
async function parseLines(folder: string): Promise<void> {
  let last: unknown = null;
  for await (const line of createInterface({ input: createReadStream(join(folder, "events.jsonl")) })) last = JSON.parse(line);
  if (last === null) throw new Error("the log is empty");
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
