import { inTempFolder } from "../files/trees.js";
import type { Benchmark, BenchmarkOptions } from "../harness/benchmark.js";
import type { Result } from "../harness/metric.js";
import { findBuiltCli } from "../start/built-cli.js";
import { timeCompletions } from "./completions.js";
import { timeHealth, weighHeld } from "./held.js";
import { timeLatency } from "./latency.js";
import { costsHidden } from "./listening.js";
import { type Served, startServing } from "./serving.js";
import { growWatchers, timeFanout, timeSlowReader } from "./watchers.js";

export const serve: Benchmark = {
  name: "serve",
  kind: "timed",
  async run(options) {
    const cli = findBuiltCli();
    const missing = "missing" in cli ? cli.missing : costsHidden;
    if (missing !== null || "missing" in cli) return [{ bench: "serve", skipped: missing ?? "" }];
    const serving = (baseUrl: string): Promise<Served> => startServing(cli.path, baseUrl, 1_100);
    const { wants } = options;
    return [
      ...(await inTempFolder((folder) => timeCompletions(cli.path, folder, options))),
      ...(wants("serve.latency") ? await timeLatency(options, serving) : []),
      ...(wants("serve.open-streams") ? [await weighHeld(options, serving)] : []),
      ...(wants("serve.fanout") ? await timeFanout(options, serving) : []),
      ...(wants("serve.slow-reader") ? await timeSlowReader(options, serving) : []),
      ...(wants("serve.health-under-load") ? [await timeHealth(options, serving)] : []),
    ];
  },
};

/** `grow.watchers`: what an event costs with many who watch. */
export async function timeWatchers(options: BenchmarkOptions): Promise<readonly Result[]> {
  const cli = findBuiltCli();
  const missing = "missing" in cli ? cli.missing : costsHidden;
  if (missing !== null || "missing" in cli) return [{ bench: "grow.watchers", skipped: missing ?? "" }];
  return growWatchers(options, (baseUrl) => startServing(cli.path, baseUrl, 1_100));
}
