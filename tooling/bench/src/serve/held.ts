import type { IncomingMessage } from "node:http";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { openPacedVendor } from "./paced-vendor.js";
import { percentile } from "./percentile.js";
import { beginCompletion, get, pause, textOf } from "./requests.js";
import type { Served } from "./serving.js";

type Serving = (baseUrl: string) => Promise<Served>;

/** Streamed completions of which a model says nothing more: what each holds in memory. */
export async function weighHeld({ quick }: BenchmarkOptions, serving: Serving): Promise<Metric> {
  const [few, many] = quick ? [5, 20] : [100, 1_000];
  const vendor = await openPacedVendor({ tokens: 2, everyMs: 1, held: true });
  const served = await serving(vendor.baseUrl);
  const held: IncomingMessage[] = [];
  const hold = async (count: number): Promise<number> => {
    while (held.length < count) held.push(...(await Promise.all(Array.from({ length: Math.min(20, count - held.length) }, begin))));
    for (const response of held) response.resume();
    await until(() => vendor.streaming() === count);
    // What the beginning of so many needed is given back.
    await pause(quick ? 200 : 4_000);
    return served.rssMiB();
  };
  const begin = (): Promise<IncomingMessage> => beginCompletion(`${served.address}/v1`, "massgen");
  try {
    const atFew = await hold(few);
    const atMany = await hold(many);
    const kib = ((atMany - atFew) * 1024) / (many - few);
    const name = {
      bench: "serve.open-streams",
      variant: `${few} to ${many.toLocaleString("en")}`,
      metric: "memory of one more",
      unit: "KiB",
    };
    return counted(name, { ours: kib }, { must: 150, aim: 80 });
  } finally {
    for (const response of held) response.destroy();
    await served.close();
    await vendor.close();
  }
}

/** `GET /health` while many runs stream, over the same when nothing happens. */
export async function timeHealth({ quick }: BenchmarkOptions, serving: Serving): Promise<Metric> {
  const runs = quick ? 5 : 100;
  const asks = quick ? 20 : 300;
  const vendor = await openPacedVendor({ tokens: 1_000_000, everyMs: 50 });
  const served = await serving(vendor.baseUrl);
  const open: IncomingMessage[] = [];
  try {
    const idle = await healthTimes(served.address, asks);
    while (open.length < runs)
      open.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(20, runs - open.length) }, () => beginCompletion(`${served.address}/v1`, "massgen")),
        )),
      );
    for (const response of open) response.resume();
    await until(() => vendor.streaming() === runs);
    await pause(quick ? 100 : 2_000);
    const busy = await healthTimes(served.address, asks);
    return counted(
      { bench: "serve.health-under-load", variant: `${runs} runs at 20 tokens/s`, metric: "added, p99", unit: "ms" },
      { ours: percentile(busy, 99), floor: percentile(idle, 99), judged: "difference" },
      { must: 20, aim: 5 },
    );
  } finally {
    for (const response of open) response.destroy();
    await served.close();
    await vendor.close();
  }
}

async function healthTimes(address: string, asks: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let ask = 0; ask < asks; ask++) {
    const startedMs = performance.now();
    await textOf(await get(`${address}/health`));
    times.push(performance.now() - startedMs);
    await pause(10);
  }
  return times;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isTrue(); waitedMs += 20) {
    if (waitedMs > 120_000) throw new Error("What was waited for did not come in two minutes.");
    await pause(20);
  }
}
