import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark, BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs, type PairOptions } from "../harness/measure-pairs.js";
import { counted, type Metric, type Result, timed } from "../harness/metric.js";
import { findBuiltCli } from "../start/built-cli.js";
import { noPty, openPty } from "./pty.js";
import { echoOf, SIZE, typeAt, typeAtCat, watchScreen } from "./watch-screen.js";
import type { Report, Workload } from "./workload.js";

const FIVE = { screen: "ours", agents: 5, tokensPerSecond: 100, historyLines: 0, toolCalls: 0 } as const;
const STREAM = "agents at 100 tokens/s each";

export const tui: Benchmark = {
  name: "tui",
  kind: "timed",
  async run(options) {
    if (noPty !== null) return [{ bench: "tui", skipped: noPty }];
    const figures: readonly (readonly [bench: string, take: (options: BenchmarkOptions) => Promise<readonly Result[]>])[] = [
      ["tui.cpu", timeCpu],
      ["tui.echo", timeEcho],
      ["tui.frames", watchFrames],
      ["tui.idle", watchIdle],
      ["tui.long", timeLong],
      ["tui.memory", weighMemory],
      ["tui.resize", timeResize],
      ["tui.start", timeStart],
    ];
    const results: Result[] = [];
    for (const [bench, take] of figures)
      if (options.wants(bench) || (bench === "tui.frames" && options.wants("tui.bytes"))) results.push(...(await take(options)));
    return results;
  },
};

/** A watch takes seconds: seven pairs are enough. */
const fewer = ({ pairs }: BenchmarkOptions): PairOptions => ({ ...pairs, pairs: Math.min(pairs.pairs, 7) });
const percentOf = ({ cpuMs, seconds }: Report): number => cpuMs / (seconds * 10);

async function timeCpu(options: BenchmarkOptions): Promise<readonly Metric[]> {
  const seconds = options.quick ? 1 : 4;
  const results: Metric[] = [];
  for (const [agents, aim] of [
    [1, 2],
    [5, 1.6],
  ] as const) {
    const taken = await measurePairs(
      () => watchScreen({ ...FIVE, agents, seconds }),
      () => watchScreen({ ...FIVE, agents, seconds, screen: "floor" }),
      fewer(options),
    );
    const name = { bench: "tui.cpu", variant: `${agents} ${STREAM}`, metric: "CPU", unit: "%" };
    results.push(timed(name, comparePairs(taken, percentOf), { must: 4, aim }));
  }
  return results;
}

async function timeEcho({ quick }: BenchmarkOptions): Promise<readonly Metric[]> {
  const times = quick ? 5 : 100;
  let taken: readonly number[] = [];
  await watchScreen({ ...FIVE, seconds: quick ? 4 : 20 }, async (pty) => {
    taken = await typeAt(pty, times);
  });
  const ours = echoOf(taken);
  const cat = echoOf(await typeAtCat(times));
  const name = { bench: "tui.echo", variant: `5 ${STREAM}`, unit: "ms" };
  return [
    counted({ ...name, metric: "p50 less cat" }, { ours: ours.p50Ms, floor: cat.p50Ms, judged: "difference" }, { must: 20, aim: 4 }),
    counted({ ...name, metric: "max less cat" }, { ours: ours.maxMs, floor: cat.p50Ms, judged: "difference" }, { must: 50, aim: 16 }),
  ];
}

/** Frames and bytes of the same minute. */
async function watchFrames({ quick }: BenchmarkOptions): Promise<readonly Metric[]> {
  const report = await watchScreen({ ...FIVE, seconds: quick ? 1 : 60 });
  const variant = `5 ${STREAM}`;
  return [
    counted(
      { bench: "tui.frames", variant, metric: "later than 50 ms", unit: "%" },
      { ours: (report.lateFrames / Math.max(1, report.frames)) * 100 },
      { must: 2, aim: 0 },
    ),
    counted(
      { bench: "tui.bytes", variant, metric: "to the terminal, per byte of an agent's text", unit: "" },
      { ours: report.bytes, floor: report.textBytes / FIVE.agents },
      { must: 60, aim: 25 },
    ),
  ];
}

async function watchIdle({ quick }: BenchmarkOptions): Promise<readonly Metric[]> {
  const report = await watchScreen({ ...FIVE, historyLines: 200, tokensPerSecond: 0, seconds: quick ? 1 : 30, isOver: true });
  const name = { bench: "tui.idle", variant: "a finished screen" };
  return [
    counted({ ...name, metric: "CPU", unit: "%" }, { ours: percentOf(report) }, { must: 0.5, aim: 0.1 }),
    counted({ ...name, metric: "writes a second", unit: "" }, { ours: report.writes / report.seconds }, { must: 1, aim: 0 }),
  ];
}

interface LongRun {
  readonly cpuMsPerFrame: number;
  readonly echoMs: number;
}

async function timeLong(options: BenchmarkOptions): Promise<readonly Metric[]> {
  const { quick } = options;
  const after = async (historyLines: number, toolCalls: number): Promise<LongRun> => {
    let taken: readonly number[] = [];
    const workload = { ...FIVE, historyLines, toolCalls };
    const quiet = await watchScreen({ ...workload, seconds: quick ? 1 : 3 });
    await watchScreen({ ...workload, seconds: quick ? 3 : 5 }, async (pty) => {
      taken = await typeAt(pty, quick ? 2 : 20);
    });
    return { cpuMsPerFrame: quiet.cpuMs / Math.max(1, quiet.writes), echoMs: echoOf(taken).p50Ms };
  };
  const taken = await measurePairs(
    () => after(quick ? 2_000 : 50_000, quick ? 100 : 2_000),
    () => after(100, 0),
    fewer(options),
  );
  const name = { bench: "tui.long", variant: "50,000 lines and 2,000 tool calls, over 100 lines", unit: "ms" };
  const targets = { must: 1.3, aim: 1.05 };
  return [
    timed(
      { ...name, metric: "CPU per frame" },
      comparePairs(taken, ({ cpuMsPerFrame }) => cpuMsPerFrame),
      targets,
    ),
    timed(
      { ...name, metric: "echo" },
      comparePairs(taken, ({ echoMs }) => echoMs),
      targets,
    ),
  ];
}

async function weighMemory(options: BenchmarkOptions): Promise<readonly Metric[]> {
  const seconds = options.quick ? 1 : 4;
  const level = await measurePairs(
    () => watchScreen({ ...FIVE, seconds }),
    () => watchScreen({ ...FIVE, seconds, screen: "floor" }),
    fewer(options),
  );
  const name = { bench: "tui.memory", variant: `5 ${STREAM}` };
  // A sentence a token, and as many as that the slope is one of megabytes.
  const heavy = (megabytes: number): Promise<Report> =>
    watchScreen({ ...FIVE, charsPerToken: 1_000, tokensPerSecond: 200, seconds: megabytes });
  const [small, large] = options.quick ? [1, 2] : [4, 20];
  const one = await heavy(small);
  const other = await heavy(large);
  const slope = (other.rssMiB - one.rssMiB) / ((other.textBytes - one.textBytes) / 1024 / 1024);
  return [
    timed(
      { ...name, metric: "peak RSS above the floor's", unit: "MiB" },
      comparePairs(level, ({ peakRssMiB }) => peakRssMiB),
      { must: 60, aim: 25 },
      "difference",
    ),
    counted({ ...name, metric: "RSS for a MB of text", unit: "MB" }, { ours: slope }, { must: 4, aim: 2 }),
  ];
}

/** From the change of the size until the last row is drawn in the new one. */
async function timeResize({ quick }: BenchmarkOptions): Promise<readonly Metric[]> {
  const taken: number[] = [];
  const workload: Omit<Workload, "report"> = {
    ...FIVE,
    historyLines: quick ? 1_000 : 50_000,
    toolCalls: quick ? 50 : 2_000,
    seconds: quick ? 2 : 10,
  };
  await watchScreen(workload, async (pty) => {
    await pty.saw("What happened");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // The first finds the terminal, which takes its time.
    pty.resize(SIZE.columns, SIZE.rows);
    for (let time = 0; time < (quick ? 2 : 20); time++) {
      const [columns, rows] = time % 2 === 0 ? [200, 50] : [SIZE.columns, SIZE.rows];
      const drawn = pty.saw(`\u001b[${rows};1H`);
      const askedMs = performance.now();
      pty.resize(columns, rows);
      taken.push((await drawn) - askedMs);
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
  });
  const { p50Ms, maxMs } = echoOf(taken);
  const name = { bench: "tui.resize", variant: "50,000 lines and 2,000 tool calls", unit: "ms" };
  return [
    counted({ ...name, metric: "until drawn, p50" }, { ours: p50Ms }, { must: 100, aim: 33 }),
    counted({ ...name, metric: "until drawn, max" }, { ours: maxMs }, {}),
  ];
}

/** The whole program, from its start until its first frame is complete, over a node that does nothing in the same terminal. */
async function timeStart(options: BenchmarkOptions): Promise<readonly Result[]> {
  const cli = findBuiltCli();
  if ("missing" in cli) return [{ bench: "tui.start", skipped: cli.missing }];
  const cwd = mkdtempSync(join(tmpdir(), "massgen-bench-tui-"));
  writeFileSync(
    join(cwd, "team.yaml"),
    "agents:\n  - id: ada\n    backend: { type: chatcompletion, model: bench-model, base_url: 'http://127.0.0.1:9', api_key: bench }\n",
  );
  const until = async (args: readonly string[], text: string | null): Promise<number> => {
    const startedMs = performance.now();
    const pty = openPty([process.execPath, ...args], { ...SIZE, cwd });
    try {
      if (text !== null) return (await pty.saw(text)) - startedMs;
      await pty.ended;
      return performance.now() - startedMs;
    } finally {
      await pty.close();
    }
  };
  try {
    const taken = await measurePairs(
      () => until([cli.path, "--config", "team.yaml", "Which cache policy fits?"], "\u001b[?2026l"),
      () => until(["-e", "0"], null),
      options.pairs,
    );
    const name = { bench: "tui.start", variant: "", metric: "until the first frame", unit: "ms" };
    return [
      timed(
        name,
        comparePairs(taken, (ms) => ms),
        { must: 3, aim: 1.8 },
      ),
    ];
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
}
