import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { inTempFolder } from "../files/trees.js";
import type { Benchmark, BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { counted, type Metric, timed } from "../harness/metric.js";
import { runNode } from "../harness/run-process.js";
import type { Sample } from "./play.js";

export const runs: Benchmark = {
  name: "runs",
  kind: "timed",
  run: async (options) => [
    ...(options.wants("runs.parallel") ? await timeParallel(options) : []),
    ...(options.wants("runs.leak") ? [await weighLeak(options)] : []),
  ],
};

/** Many teams of three at once in one process, over the same one after another. */
async function timeParallel({ quick, pairs }: BenchmarkOptions): Promise<readonly Metric[]> {
  const count = quick ? 4 : 100;
  const few = { pairs: Math.min(3, pairs.pairs), warmUps: 0 };
  const half = await play({ runs: count / 2, agents: 3, atOnce: true });
  const samples: Sample[] = [];
  const taken = await measurePairs(
    async () => {
      const sample = await play({ runs: count, agents: 3, atOnce: true });
      samples.push(sample);
      return sample;
    },
    () => play({ runs: count, agents: 3, atOnce: false }),
    few,
  );
  const variant = `${count} runs of 3 agents`;
  const slope = (samples[0]!.rssMiB.at(-1)! - half.rssMiB.at(-1)!) / (count / 2);
  return [
    timed(
      { bench: "runs.parallel", variant, metric: "CPU, over one after another", unit: "ms" },
      comparePairs(taken, ({ cpuMs }) => cpuMs),
      { must: 1.15, aim: 1.05 },
    ),
    counted({ bench: "runs.parallel", variant, metric: "memory of one more", unit: "MiB" }, { ours: slope }, { must: 1.5, aim: 0.8 }),
  ];
}

/** A thousand runs one after another: what is left of each. */
async function weighLeak({ quick }: BenchmarkOptions): Promise<Metric> {
  const count = quick ? 100 : 1_000;
  const { rssMiB } = await play({ runs: count, agents: 1, atOnce: false });
  // Weighed before the first and after every fiftieth.
  const early = rssMiB[quick ? 1 : 2]!;
  const name = {
    bench: "runs.leak",
    variant: `${count.toLocaleString("en")} runs`,
    metric: `memory, over that after ${quick ? 50 : 100}`,
    unit: "MiB",
  };
  return counted(name, { ours: rssMiB.at(-1)!, floor: early }, { must: 1.1, aim: 1.03 });
}

function play({ runs, agents, atOnce }: { readonly runs: number; readonly agents: number; readonly atOnce: boolean }): Promise<Sample> {
  return inTempFolder(async (folder) => {
    const program = fileURLToPath(new URL(`./play-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url));
    const args = ["--expose-gc", program, folder, String(runs), String(agents), atOnce ? "at-once" : "in-turn"];
    const { stdout } = await runNode({ args, limitMs: 600_000 });
    return JSON.parse(stdout) as Sample;
  });
}
