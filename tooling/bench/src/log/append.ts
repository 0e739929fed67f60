import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createEventsFileStore } from "@massgen/logs";
import { inTempFolder } from "../files/trees.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { decisionsOf } from "./facts.js";

/** Decisions that one run makes durable one after the other, and that sixty-four make at once. */
export async function timeAppends({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  const metrics: Metric[] = [];
  if (wants("log.append")) metrics.push(await timeRuns("log.append", 1, quick ? 5 : 200, pairs, { must: 1.25, aim: 1.05 }));
  if (wants("log.burst")) metrics.push(await timeRuns("log.burst", quick ? 4 : 64, quick ? 2 : 10, pairs, { must: 2, aim: 1.2 }));
  return metrics;
}

async function timeRuns(
  bench: string,
  runs: number,
  count: number,
  pairs: BenchmarkOptions["pairs"],
  targets: { readonly must: number; readonly aim: number },
): Promise<Metric> {
  return inTempFolder(async (folder) => {
    let round = 0;
    let lines: readonly Buffer[] = [];
    const taken = await measurePairs(
      async () => {
        const base = join(folder, `${round++}`);
        const ms = await appendAll(base, runs, count);
        lines = linesByDecision(join(base, "run0", "events.jsonl"));
        return ms;
      },
      async () => writeByHand(join(folder, `floor${round}`), lines, runs),
      pairs,
    );
    return timed(
      { bench, variant: `${runs} × ${count} decisions`, metric: "wall time", unit: "ms" },
      comparePairs(taken, (ms) => ms),
      targets,
    );
  });
}

async function appendAll(base: string, runs: number, count: number): Promise<number> {
  const stores = await Promise.all(
    Array.from({ length: runs }, async (_, place) => {
      const own = join(base, `run${place}`);
      await mkdir(own, { recursive: true });
      const runId = `20260102_101529_${String(place).padStart(6, "0")}`;
      return { runId, store: createEventsFileStore({ folderOf: () => own }), decisions: decisionsOf(runId, count) };
    }),
  );
  // The right to write is taken once a run, outside of what is measured.
  for (const { runId, store } of stores) await store.claim(runId);
  const startedMs = performance.now();
  await Promise.all(
    stores.map(async ({ runId, store, decisions }) => {
      for (const decision of decisions) await store.append(runId, decision[0]!.seq - 1, decision, "flushed");
    }),
  );
  const ms = performance.now() - startedMs;
  for (const { store } of stores) await store.close();
  return ms;
}

/** The bytes of each decision, as they stand in the file. */
function linesByDecision(file: string): readonly Buffer[] {
  const decisions: string[] = [];
  let pending = "";
  for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
    pending += `${line}\n`;
    if (!(JSON.parse(line) as { readonly closes: boolean }).closes) continue;
    decisions.push(pending);
    pending = "";
  }
  return decisions.map((text) => Buffer.from(text));
}

/** Where several write, the flushes are this far apart, so that one serves all who come in between. */
const GATHERING_MS = 2;

/** The same bytes and one flush for what comes at once: nothing durable can take less. */
function writeByHand(file: string, lines: readonly Buffer[], runs: number): number {
  const handle = openSync(file, "w");
  const startedMs = performance.now();
  for (const [place, line] of lines.entries()) {
    for (let run = 0; run < runs; run++) writeSync(handle, line);
    const notBeforeMs = runs === 1 ? 0 : startedMs + (place + 1) * GATHERING_MS;
    while (performance.now() < notBeforeMs);
    fdatasyncSync(handle);
  }
  const ms = performance.now() - startedMs;
  closeSync(handle);
  return ms;
}
