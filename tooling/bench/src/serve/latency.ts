import type { BenchmarkOptions } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { openPacedVendor } from "./paced-vendor.js";
import { percentile } from "./percentile.js";
import { beginCompletion } from "./requests.js";
import type { Served } from "./serving.js";

const STAMP = /@(\d+\.\d+)@/g;

interface Transit {
  /** From asking to the first token. */
  readonly firstMs: number;
  /** Of every token, from the vendor's sending to the client's having it. */
  readonly tokensMs: readonly number[];
}

/** How much later a token is there than straight from the vendor: one client after another, then many at once. */
export async function timeLatency({ quick }: BenchmarkOptions, serving: (baseUrl: string) => Promise<Served>): Promise<readonly Metric[]> {
  const vendor = await openPacedVendor({ tokens: quick ? 20 : 100, everyMs: 20, stamped: true });
  const served = await serving(vendor.baseUrl);
  try {
    const alone = quick ? 2 : 15;
    const together = quick ? 4 : 50;
    // Both roads once before anything counts.
    await ask(`${served.address}/v1`, "massgen");
    const ours = await inTurn(alone, () => ask(`${served.address}/v1`, "massgen"));
    const direct = await inTurn(alone, () => ask(vendor.baseUrl, "paced"));
    const oursTogether = await Promise.all(Array.from({ length: together }, () => ask(`${served.address}/v1`, "massgen")));
    const directTogether = await Promise.all(Array.from({ length: together }, () => ask(vendor.baseUrl, "paced")));
    const first = (all: readonly Transit[]): readonly number[] => all.map(({ firstMs }) => firstMs);
    const tokens = (all: readonly Transit[]): readonly number[] => all.flatMap(({ tokensMs }) => tokensMs);
    return [
      difference("first token, one client", 50, first(ours), first(direct), { must: 3, aim: 1.2 }),
      difference("first token, one client", 99, first(ours), first(direct), { must: 10, aim: 4 }),
      difference(`a token, ${together} streams`, 50, tokens(oursTogether), tokens(directTogether), { must: 1, aim: 0.3 }),
      difference(`a token, ${together} streams`, 99, tokens(oursTogether), tokens(directTogether), { must: 8, aim: 3 }),
    ];
  } finally {
    await served.close();
    await vendor.close();
  }
}

const difference = (
  variant: string,
  percent: 50 | 99,
  ours: readonly number[],
  floor: readonly number[],
  targets: { readonly must: number; readonly aim: number },
): Metric =>
  counted(
    { bench: "serve.latency", variant, metric: `added, p${percent}`, unit: "ms" },
    { ours: percentile(ours, percent), floor: percentile(floor, percent), judged: "difference" },
    targets,
  );

async function inTurn<T>(times: number, work: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let time = 0; time < times; time++) all.push(await work());
  return all;
}

async function ask(base: string, model: string): Promise<Transit> {
  const startedMs = performance.now();
  const response = await beginCompletion(base, model);
  const seen = new Set<string>();
  const tokensMs: number[] = [];
  let firstMs = Number.NaN;
  let rest = "";
  for await (const piece of response.setEncoding("utf8")) {
    const nowMs = performance.now();
    rest += piece as string;
    for (const [whole, stamp = ""] of rest.matchAll(STAMP)) {
      if (seen.has(stamp)) continue;
      seen.add(stamp);
      if (Number.isNaN(firstMs)) firstMs = nowMs - startedMs;
      else tokensMs.push(nowMs - Number(stamp));
      rest = rest.slice(rest.indexOf(whole) + whole.length);
    }
    rest = rest.slice(-40);
  }
  if (tokensMs.length === 0) throw new Error("A stream brought no tokens.");
  return { firstMs, tokensMs };
}
