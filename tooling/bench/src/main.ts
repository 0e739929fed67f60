import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cache } from "./cache/ours.js";
import { coord } from "./coord/ours.js";
import { cost } from "./cost/ours.js";
import { grow, kernel, snapshot } from "./files/ours.js";
import type { Benchmark, BenchmarkOptions } from "./harness/benchmark.js";
import { DEFAULT_PAIRS, QUICK_PAIRS } from "./harness/measure-pairs.js";
import { isSkipped, type Metric, type Result, verdictOf } from "./harness/metric.js";
import { formatComparison, formatTable } from "./harness/report.js";
import { isWanted, selectBenchmarks } from "./harness/select.js";
import { log } from "./log/ours.js";
import { loop } from "./loop/ours.js";
import { read } from "./read/ours.js";
import { runs } from "./runs/ours.js";
import { serve } from "./serve/ours.js";
import { sessions } from "./sessions/ours.js";
import { size } from "./size/ours.js";
import { start } from "./start/ours.js";
import { tokens } from "./tokens/ours.js";
import { tui } from "./tui/ours.js";
import { plain } from "./tui/plain.js";
import { web } from "./web/ours.js";

const ALL: readonly Benchmark[] = [
  coord,
  tokens,
  cache,
  cost,
  size,
  start,
  read,
  loop,
  snapshot,
  grow,
  kernel,
  log,
  sessions,
  serve,
  runs,
  tui,
  plain,
  web,
];

const USAGE = `pnpm bench [names…]         all, or some: a family (coord) or one of it (start.version)
  --quick                   one tiny pass of everything
  --peers                   installs the programs ours are held against, from npm; without, their rows are skipped
  --json <file>             one object per figure
  --compare <file>          beside the figures of an earlier --json
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      peers: { type: "boolean", default: false },
      json: { type: "string" },
      compare: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const chosen = selectBenchmarks(ALL, positionals);
  const options: BenchmarkOptions = {
    quick: values.quick,
    pairs: values.quick ? QUICK_PAIRS : DEFAULT_PAIRS,
    peers: values.peers,
    wants: (bench) => isWanted(bench, positionals),
  };
  const results: Result[] = [];
  const missed: Metric[] = [];
  for (const benchmark of chosen) {
    process.stderr.write(`${benchmark.name} …\n`);
    const own = (await benchmark.run(options)).filter(({ bench }) => bench === benchmark.name || options.wants(bench));
    results.push(...own);
    // A time on a busy machine is no verdict; a count is.
    if (benchmark.kind === "counted")
      missed.push(...own.filter((result): result is Metric => !isSkipped(result) && verdictOf(result) === "missed"));
  }
  process.stdout.write(`${formatTable(results)}\n`);
  if (values.compare !== undefined)
    process.stdout.write(`\n${formatComparison(results, JSON.parse(readFileSync(values.compare, "utf8")) as readonly Metric[])}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  return missed.length > 0 && !values.quick ? 1 : 0;
}

process.exitCode = await main();
