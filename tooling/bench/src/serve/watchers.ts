import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { writerScript } from "./floor.js";
import { type Listening, startListening } from "./listening.js";
import { openPacedVendor } from "./paced-vendor.js";
import { get, pause, startRun, watchRun } from "./requests.js";
import type { Served } from "./serving.js";

type Serving = (baseUrl: string) => Promise<Served>;

/** Events of the run each second. */
const RATE = 250;

/** One run that many watch: CPU for each event that reaches somebody, over as many writes of the same bytes. */
export async function timeFanout({ quick }: BenchmarkOptions, serving: Serving): Promise<readonly Metric[]> {
  const seconds = quick ? 1 : 8;
  const watchers = quick ? 5 : 100;
  const writer = await startListening({ args: ["-e", writerScript(RATE)] });
  try {
    const ours = await withRun(serving, (served, watch) => perEvent(served, watch, watchers, seconds));
    const floor = await perEvent(writer, () => get(writer.address), watchers, seconds);
    const name = {
      bench: "serve.fanout",
      variant: `${watchers} watchers, ${RATE} events/s`,
      metric: "CPU for an event delivered",
      unit: "µs",
    };
    return [counted(name, { ours: 1_000 * ours, floor: 1_000 * floor }, { must: 1.5, aim: 1.1 })];
  } finally {
    await writer.close();
  }
}

/**
 * Events of the run each second, the same for few and for many: what comes close together shares a write. More would be
 * more than a machine can bring to a thousand, and the queues would be measured.
 */
const GROWTH_RATE = 10;

/** The same for ever more who watch, over that for ten. */
export async function growWatchers({ quick }: BenchmarkOptions, serving: Serving): Promise<readonly Metric[]> {
  const costOf = (watchers: number, seconds: number): Promise<number> =>
    withRun(serving, (served, watch) => perEvent(served, watch, watchers, seconds, GROWTH_RATE), GROWTH_RATE);
  const least = await (quick ? costOf(2, 1) : costOf(10, 30));
  const metrics: Metric[] = [];
  for (const watchers of quick ? [4] : [100, 1_000]) {
    const name = {
      bench: "grow.watchers",
      variant: watchers.toLocaleString("en"),
      metric: "CPU for an event, over 10 watchers",
      unit: "µs",
    };
    metrics.push(counted(name, { ours: 1_000 * (await costOf(watchers, quick ? 1 : 8)), floor: 1_000 * least }, { must: 1.5, aim: 1.1 }));
  }
  return metrics;
}

/** A run that goes on for as long as it is looked at. */
async function withRun<T>(
  serving: Serving,
  work: (served: Served, watch: () => Promise<IncomingMessage>) => Promise<T>,
  rate: number = RATE,
): Promise<T> {
  const vendor = await openPacedVendor({ tokens: 10_000_000, everyMs: 1_000 / rate });
  const served = await serving(vendor.baseUrl);
  try {
    const id = await startRun(served.address);
    return await work(served, () => watchRun(served.address, id));
  } finally {
    await served.close();
    await vendor.close();
  }
}

/** Milliseconds for each event that came, beside what the run costs with nobody watching. */
async function perEvent(
  server: Listening,
  open: () => Promise<IncomingMessage>,
  count: number,
  seconds: number,
  rate: number = RATE,
): Promise<number> {
  const before = server.cpuMs();
  await pause(1_000 * seconds);
  const unwatched = server.cpuMs() - before;
  const streams: IncomingMessage[] = [];
  while (streams.length < count) streams.push(...(await Promise.all(Array.from({ length: Math.min(50, count - streams.length) }, open))));
  let came = 0;
  for (const stream of streams)
    stream.on("data", (bytes: Buffer) => {
      for (let at = bytes.indexOf("\n\n"); at !== -1; at = bytes.indexOf("\n\n", at + 2)) came += 1;
    });
  // The record of the run so far comes first.
  await pause(1_000);
  const from = { cpu: server.cpuMs(), came };
  await pause(1_000 * seconds);
  const spent = server.cpuMs() - from.cpu - unwatched;
  const events = came - from.came;
  for (const stream of streams) stream.destroy();
  if (events < (count * rate * seconds) / 10) throw new Error(`Only ${events} events reached ${count} watchers in ${seconds} s.`);
  return spent / events;
}

/** A run that ten watch, once all reading, once with one who stops in the middle: wall time and the most memory. */
export async function timeSlowReader({ quick }: BenchmarkOptions, serving: Serving): Promise<readonly Metric[]> {
  const tokens = RATE * (quick ? 2 : 30);
  const vendor = await openPacedVendor({ tokens, everyMs: 1_000 / RATE });
  try {
    const readers = await watchedRun(await serving(vendor.baseUrl), false);
    const withSlow = await watchedRun(await serving(vendor.baseUrl), true);
    const variant = "one of ten";
    return [
      counted(
        { bench: "serve.slow-reader", variant, metric: "wall time of the run", unit: "ms" },
        { ours: withSlow.ms, floor: readers.ms },
        { must: 1.01, aim: 1 },
      ),
      counted(
        { bench: "serve.slow-reader", variant, metric: "most memory, added", unit: "MiB" },
        { ours: withSlow.peakMiB, floor: readers.peakMiB, judged: "difference" },
        { must: 8, aim: 2 },
      ),
    ];
  } finally {
    await vendor.close();
  }
}

async function watchedRun(served: Served, hasSlow: boolean): Promise<{ readonly ms: number; readonly peakMiB: number }> {
  let peakMiB = 0;
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, served.rssMiB());
  }, 50);
  try {
    const startedMs = performance.now();
    const id = await startRun(served.address);
    const streams = await Promise.all(Array.from({ length: 10 }, () => watchRun(served.address, id)));
    const [first, ...others] = streams;
    if (hasSlow) first!.pause();
    const read = hasSlow ? others : streams;
    for (const stream of read) stream.resume();
    await once(read.at(-1)!, "end");
    const ms = performance.now() - startedMs;
    for (const stream of streams) stream.destroy();
    return { ms, peakMiB };
  } finally {
    clearInterval(timer);
    await served.close();
  }
}
