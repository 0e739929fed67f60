import type { BenchmarkOptions } from "./benchmark.js";
import { comparePairs, measurePairs } from "./measure-pairs.js";
import type { Metric, Targets } from "./metric.js";
import { type Command, costOfNode, runNode } from "./run-process.js";

export interface ProcessTargets {
  /** Of the wall time and of the CPU time alike. */
  readonly time: Targets;
  /** Peak RSS above the floor's, in MiB. */
  readonly memory?: Targets;
}

/** Wall time, CPU time and peak memory of a whole command, against another one. */
export async function timeProcesses(
  name: { readonly bench: string; readonly variant?: string },
  ours: Command,
  floor: Command,
  targets: ProcessTargets,
  options: BenchmarkOptions,
): Promise<readonly Metric[]> {
  const cost = await measurePairs(
    () => costOfNode(ours),
    () => costOfNode(floor),
    options.pairs,
  );
  const wall = await measurePairs(
    () => runNode(ours),
    () => runNode(floor),
    options.pairs,
  );
  const common = { variant: "", ...name };
  const time = { judged: "ratio", better: "lower", must: targets.time.must ?? null, aim: targets.time.aim ?? null } as const;
  const memory = { judged: "difference", better: "lower", must: targets.memory?.must ?? null, aim: targets.memory?.aim ?? null } as const;
  return [
    { ...common, metric: "CPU", unit: "ms", ...comparePairs(cost, (sample) => sample.cpuMs), ...time },
    { ...common, metric: "wall", unit: "ms", ...comparePairs(wall, (sample) => sample.wallMs), ...time },
    { ...common, metric: "peak RSS", unit: "MiB", ...comparePairs(cost, (sample) => sample.peakRssMiB), ...memory },
  ];
}
