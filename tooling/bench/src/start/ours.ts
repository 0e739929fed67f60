import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark, BenchmarkOptions } from "../harness/benchmark.js";
import type { PairOptions } from "../harness/measure-pairs.js";
import type { Result } from "../harness/metric.js";
import type { Command } from "../harness/run-process.js";
import { type ProcessTargets, timeProcesses } from "../harness/time-processes.js";
import { findBuiltCli } from "./built-cli.js";
import { timeFirstByte, timeTeam } from "./first-byte.js";
import { bareNode } from "./floor.js";
import { timeServe } from "./serve.js";

export const start: Benchmark = {
  name: "start",
  kind: "timed",
  async run(options) {
    const cli = findBuiltCli();
    if ("missing" in cli) return [{ bench: "start", skipped: cli.missing }];
    const folder = mkdtempSync(join(tmpdir(), "massgen-bench-"));
    try {
      return [
        ...(await timeFrontFile(cli.path, folder, options)),
        ...(await timeFirstByte(cli.path, folder, options)),
        ...(options.wants("start.team") ? await timeTeam(cli.path, folder, options) : []),
        ...(options.wants("start.serve") ? await timeServe(cli.path, folder, options) : []),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function timeFrontFile(cli: string, folder: string, options: BenchmarkOptions): Promise<readonly Result[]> {
  const cwd = join(folder, "front");
  mkdirSync(cwd);
  writeFileSync(
    join(cwd, "bad.yaml"),
    "agents:\n  - id: ada\n    backend:\n      type: chatcompletion\n      model: bench-model\n      base_url: http://127.0.0.1:9\norchestrator:\n  voting_sensitivity: lenyent\n",
  );
  const massgen = (args: readonly string[], expectedExitCode = 0): Command => ({ args: [cli, ...args], cwd, expectedExitCode });
  const timed: readonly (readonly [bench: string, command: Command, targets: ProcessTargets])[] = [
    ["start.version", massgen(["--version"]), { time: { must: 1.15, aim: 1.06 }, memory: { must: 4, aim: 2 } }],
    ["start.help", massgen(["--help"]), { time: { must: 1.35, aim: 1.1 } }],
    ["start.config-error", massgen(["--config", "bad.yaml", "question"], 1), { time: { must: 3, aim: 2.2 } }],
  ];
  const results: Result[] = [];
  for (const [bench, command, targets] of timed)
    if (options.wants(bench))
      results.push(...(await timeProcesses({ bench }, command, bareNode, targets, { ...options, pairs: oftener(options) })));
  return results;
}

/** Runs of a few hundredths of a second differ by more than what is to be measured, and cost little: there are three times as many. */
const oftener = ({ quick, pairs }: BenchmarkOptions): PairOptions => (quick ? pairs : { ...pairs, pairs: pairs.pairs * 3 });
