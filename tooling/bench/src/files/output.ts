import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { costOfNode } from "../harness/run-process.js";
import { inTempFolder } from "./trees.js";

const SMALLEST = 10_000;

/** What the output of one command adds to the memory of the process, over that of one that prints 10 KB. */
export async function measureOutput({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("grow.tool-output")) return [];
  const metrics: Metric[] = [];
  for (const [bytes, label] of quick
    ? ([[1_000_000, "1 MB"]] as const)
    : ([
        [1_000_000, "1 MB"],
        [100_000_000, "100 MB"],
      ] as const)) {
    const taken = await measurePairs(
      () => peakMiB(bytes),
      () => peakMiB(SMALLEST),
      // Whole processes: their memory hardly differs from run to run.
      { pairs: quick ? 1 : Math.min(5, pairs.pairs), warmUps: 0 },
    );
    const name = { bench: "grow.tool-output", variant: `${label} over 10 KB`, metric: "peak memory", unit: "MiB" };
    metrics.push(
      timed(
        name,
        comparePairs(taken, (mib) => mib),
        { must: 64, aim: 16 },
        "difference",
      ),
    );
  }
  return metrics;
}

async function peakMiB(bytes: number): Promise<number> {
  const program = fileURLToPath(new URL(`./output-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url));
  let peak = 0;
  await inTempFolder(async (folder) => {
    peak = (await costOfNode({ args: [program, join(folder, "run"), String(bytes)] })).peakRssMiB;
  });
  return peak;
}
