import { nodeFetch } from "@massgen/sdk";
import { type Simulator, startSimulator } from "@massgen/simulator";
import { writeProse } from "../fake-vendor/prose.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { APIS, openBackend } from "./apis.js";
import { fetchPlainly } from "./floor.js";
import { readTurn } from "./read-turn.js";

/** From the abort of running streams until the fake vendor has seen every connection close. */
export async function timeAbort({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("read.abort")) return [];
  const streams = quick ? 3 : 50;
  const metrics: Metric[] = [];
  for (const api of APIS) {
    const text = writeProse(1000, "answer");
    const vendor = await startSimulator({
      bodies: "forget",
      respond: () => ({ kind: "message", text, pace: { firstTokenMs: 0, tokensPerSecond: 20 } }),
    });
    try {
      const backend = openBackend(api, { baseUrl: vendor.baseUrl(api), model: "bench", fetch: nodeFetch({}) });
      const ask = (signal: AbortSignal) => readTurn(backend, signal).catch(() => {});
      const askPlainly = (signal: AbortSignal) => fetchPlainly(vendor.baseUrl("chat_completions"), signal).catch(() => {});
      const taken = await measurePairs(
        () => untilClosed(vendor, streams, ask),
        () => untilClosed(vendor, streams, askPlainly),
        pairs,
      );
      const name = { bench: "read.abort", variant: api, metric: `${streams} sockets`, unit: "ms" };
      metrics.push(
        timed(
          name,
          comparePairs(taken, (ms) => ms),
          { must: 50, aim: 10 },
          "ours",
        ),
      );
    } finally {
      await vendor.close();
    }
  }
  return metrics;
}

async function untilClosed(vendor: Simulator, streams: number, ask: (signal: AbortSignal) => Promise<unknown>): Promise<number> {
  const before = vendor.requests.length;
  const mine = () => vendor.requests.slice(before);
  const cancels = Array.from({ length: streams }, () => new AbortController());
  const asked = cancels.map(({ signal }) => ask(signal));
  await until(() => mine().filter(({ outputTokens }) => outputTokens >= 2).length === streams);
  const startedAt = performance.now();
  for (const cancel of cancels) cancel.abort();
  await until(() => mine().every(({ clientLeft }) => clientLeft));
  const ms = performance.now() - startedAt;
  await Promise.all(asked);
  return ms;
}

/** Longer than any stream runs up to its abort. */
const LIMIT_MS = 10_000;

/** Asks once every turn of the event loop: a timer would be too coarse for what is measured. */
async function until(isSo: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!isSo()) {
    if (performance.now() > startedAt + LIMIT_MS) throw new Error("What the benchmark waits for did not happen in ten seconds.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
