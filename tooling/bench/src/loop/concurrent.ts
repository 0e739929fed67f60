import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { costOfNode } from "../harness/run-process.js";
import { openVendor } from "../read/open-vendor.js";
import { converseAtOnce, type Who } from "./many.js";

/** Four responses of 50 tokens, each token a packet of its own every 4 ms. */
const TURNS = 4;
const TOKENS = 50;
const PACKET_MS = 4;
const VENDOR = { tokens: TOKENS, tokensPerSecond: 1000 / PACKET_MS, toolTurns: TURNS - 1 };

/** A hundred agents at once against the time their vendor takes anyway. */
export async function timeConcurrent({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("loop.concurrent")) return [];
  const vendor = await openVendor(VENDOR);
  try {
    const load = { baseUrl: vendor.addresses.chat_completions, agents: quick ? 3 : 100 };
    const wallMs = async (who: Who): Promise<number> => {
      const startedAt = performance.now();
      await converseAtOnce(who, load);
      return performance.now() - startedAt;
    };
    const ideal = TURNS * TOKENS * PACKET_MS;
    const taken = await measurePairs(
      () => wallMs("ours"),
      () => Promise.resolve(ideal),
      pairs,
    );
    const byHand = await measurePairs(
      () => wallMs("by-hand"),
      () => Promise.resolve(ideal),
      pairs,
    );
    const name = { bench: "loop.concurrent", metric: "wall time of all", unit: "ms" };
    const whole = (ms: number): number => ms;
    return [
      timed({ ...name, variant: "ours" }, comparePairs(taken, whole), { must: 2, aim: 1.4 }),
      timed({ ...name, variant: "by hand" }, comparePairs(byHand, whole)),
    ];
  } finally {
    await vendor.close();
  }
}

/** What an agent more costs in memory while all of them are at work. */
export async function timeMemory({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("loop.memory")) return [];
  const vendor = await openVendor(VENDOR);
  try {
    const [few, many] = quick ? [1, 5] : [10, 500];
    const program = fileURLToPath(new URL(`./many-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url));
    const peak = async (who: Who, agents: number): Promise<number> =>
      (await costOfNode({ args: [program, who, vendor.addresses.chat_completions, String(agents)] })).peakRssMiB;
    const slope = async (who: Who): Promise<number> => ((await peak(who, many)) - (await peak(who, few))) / (many - few);
    const taken = await measurePairs(
      () => slope("ours"),
      () => slope("by-hand"),
      // Whole processes: their memory hardly differs from run to run.
      { pairs: quick ? 1 : Math.min(3, pairs.pairs), warmUps: 0 },
    );
    const name = { bench: "loop.memory", metric: "memory of an agent more", unit: "MiB" };
    return [
      timed(
        name,
        comparePairs(taken, (mib) => mib),
        { must: 2, aim: 1.3 },
      ),
    ];
  } finally {
    await vendor.close();
  }
}
