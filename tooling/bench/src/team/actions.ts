import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { playTeam, type TeamPart, type TeamSize } from "./play-team.js";

const AGENTS = 50;
const FEWEST_ANSWERS = 3;
const SMALLEST_TEAM = 3;
const FEWEST_AGENTS = 5;
/** Of each response, as in the other benchmarks. */
const TOKENS = 300;

/** A run of fifty agents gets longer: what a fact costs, in time and in memory, over what it costs in a short one. */
export async function timeActions({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("grow.actions")) return [];
  const agents = quick ? 3 : AGENTS;
  const least = { agents, answers: quick ? 1 : FEWEST_ANSWERS };
  const metrics: Metric[] = [];
  for (const answers of quick ? [2] : [6, 12, 24]) {
    const times = Math.round(answers / least.answers);
    const cpu = await measurePairs(
      () => cpuPerFact("whole", { agents, answers }, 1),
      () => cpuPerFact("whole", least, times),
      pairs,
    );
    const heap = await measurePairs(
      () => heapPerFact({ agents, answers }),
      () => heapPerFact(least),
      { ...pairs, pairs: Math.min(3, pairs.pairs) },
    );
    const name = { bench: "grow.actions", variant: `${answers} answers each over ${least.answers}` };
    metrics.push(
      timed(
        { ...name, metric: "CPU of a fact", unit: "µs" },
        comparePairs(cpu, (us) => us),
        { must: 1.2, aim: 1.05 },
      ),
      timed(
        { ...name, metric: "memory of a fact", unit: "bytes" },
        comparePairs(heap, (bytes) => bytes),
        { must: 1.2, aim: 1.05 },
      ),
    );
  }
  return metrics;
}

/** A team gets larger, three answers each: what a token costs over what it costs in a team of three, and a fact over what it costs in a team of five. */
export async function timeAgents({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("grow.agents")) return [];
  const metrics: Metric[] = [];
  for (const agents of quick ? [4] : [10, 50]) {
    const taken = await measurePairs(
      () => cpuPerToken(agents, 1),
      () => cpuPerToken(SMALLEST_TEAM, quick ? 1 : Math.ceil(agents / SMALLEST_TEAM)),
      pairs,
    );
    const name = { bench: "grow.agents", variant: `${agents} agents over ${SMALLEST_TEAM}`, metric: "CPU of a token", unit: "ns" };
    metrics.push(
      timed(
        name,
        comparePairs(taken, (ns) => ns),
        { must: 1.2, aim: 1.05 },
      ),
    );
  }
  for (const agents of quick ? [6] : [10, 25, 50, 80])
    for (const part of ["rules", "whole"] as const) {
      const taken = await measurePairs(
        () => cpuPerFact(part, { agents, answers: FEWEST_ANSWERS }, 1),
        () => cpuPerFact(part, { agents: FEWEST_AGENTS, answers: FEWEST_ANSWERS }, quick ? 1 : Math.ceil(agents / FEWEST_AGENTS)),
        pairs,
      );
      const of = part === "rules" ? "outside prompts" : "with prompts";
      const name = { bench: "grow.agents", variant: `${agents} agents over ${FEWEST_AGENTS}, ${of}`, metric: "CPU of a fact", unit: "µs" };
      metrics.push(
        timed(
          name,
          comparePairs(taken, (us) => us),
          {},
        ),
      );
    }
  return metrics;
}

/** Nanoseconds of a token that is streamed, everything else that the run does included. */
async function cpuPerToken(agents: number, times: number): Promise<number> {
  let streamed = 0;
  const ms = await cpuMsOf(async () => {
    for (let time = 0; time < times; time++) {
      await playTeam("whole", { agents, answers: FEWEST_ANSWERS, tokens: TOKENS });
      streamed += agents * (FEWEST_ANSWERS + 1) * TOKENS;
    }
  });
  return (ms * 1e6) / streamed;
}

/** Microseconds. */
async function cpuPerFact(part: TeamPart, size: TeamSize, times: number): Promise<number> {
  let facts = 0;
  const ms = await cpuMsOf(async () => {
    for (let time = 0; time < times; time++) facts += (await playTeam(part, size)).state().seq;
  });
  return (ms * 1000) / facts;
}

/** Bytes of the heap that the record and the state of a run hold when it is over. */
async function heapPerFact(size: TeamSize): Promise<number> {
  const before = heapBytes();
  const run = await playTeam("whole", size);
  const held = heapBytes() - before;
  return held / run.state().seq;
}

function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
