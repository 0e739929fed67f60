import { nodeFetch } from "@massgen/sdk";
import type { SimulatedApi } from "@massgen/simulator";
import { writeProse } from "../fake-vendor/prose.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { APIS, openBackend } from "./apis.js";
import { type Reader, rawReaders, sdkReaders } from "./floor.js";
import { openVendor } from "./open-vendor.js";
import { readTurn } from "./read-turn.js";
import type { VendorAddresses } from "./vendor-process.js";

/** Streams at once, and the tokens in each. */
interface Load {
  readonly streams: number;
  readonly tokens: number;
  readonly tokensPerSecond: number;
}

const UNIT = "ms/1,000 tokens";

export async function timeAdapters(options: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!options.wants("read.adapter") && !options.wants("read.adapter-floor")) return [];
  const load: Load = options.quick ? { streams: 2, tokens: 30, tokensPerSecond: 1000 } : { streams: 20, tokens: 300, tokensPerSecond: 300 };
  const vendor = await openVendor(load);
  try {
    const metrics: Metric[] = [];
    for (const api of APIS) metrics.push(...(await timeAdapter(api, vendor.addresses, load, options)));
    return metrics;
  } finally {
    await vendor.close();
  }
}

async function timeAdapter(
  api: SimulatedApi,
  addresses: VendorAddresses,
  load: Load,
  { pairs }: BenchmarkOptions,
): Promise<readonly Metric[]> {
  const place = { baseUrl: addresses[api], model: "bench", fetch: nodeFetch({}) };
  const backend = openBackend(api, place);
  const sdk = sdkReaders[api](place);
  const raw = rawReaders[api](place);
  // A round is ours, the SDK's iterator, the floor, so that both comparisons are with neighbours.
  const taken = await measurePairs(
    async () => {
      const ms = await cpuPerThousand(async () => (await readTurn(backend)).text, load);
      return { sdk: ms, raw: ms };
    },
    async () => ({ sdk: await cpuPerThousand(sdk, load), raw: await cpuPerThousand(raw, load) }),
    pairs,
  );
  return [
    timed(
      { bench: "read.adapter", variant: api, metric: "CPU", unit: UNIT },
      comparePairs(taken, (ms) => ms.sdk),
      { must: 0.95, aim: 0.55 },
    ),
    timed(
      { bench: "read.adapter-floor", variant: api, metric: "CPU", unit: UNIT },
      comparePairs(taken, (ms) => ms.raw),
      { must: 1.25, aim: 1.08 },
    ),
  ];
}

export async function timePackets({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("read.packets")) return [];
  const load: Load = quick ? { streams: 1, tokens: 100, tokensPerSecond: 1000 } : { streams: 4, tokens: 1000, tokensPerSecond: 1000 };
  const vendor = await openVendor(load);
  try {
    const read = (tokensPerPacket: number) => {
      const backend = openBackend("chat_completions", {
        baseUrl: vendor.addresses.chat_completions,
        fetch: nodeFetch({}),
        model: `bench-by-${tokensPerPacket}`,
      });
      return () => cpuPerThousand(async () => (await readTurn(backend)).text, load);
    };
    const [single, ten, hundred, thousand] = [read(1), read(10), read(100), read(1000)];
    const taken = await measurePairs(
      async () => ({ 10: await ten(), 100: await hundred(), 1000: await thousand() }),
      async () => {
        const ms = await single();
        return { 10: ms, 100: ms, 1000: ms };
      },
      pairs,
    );
    const ratios = ([10, 100, 1000] as const).map((size) => comparePairs(taken, (ms) => ms[size]));
    return ratios.map((figures, place) => {
      const tokensPerPacket = 10 ** (place + 1);
      // Falls with every step: the step before is the limit.
      const must = place === 0 ? 1 : ratios[place - 1]!.ratio;
      const name = { bench: "read.packets", variant: `${tokensPerPacket} a packet`, metric: "CPU", unit: UNIT };
      return timed(name, figures, { must, aim: tokensPerPacket === 100 ? 0.25 : null });
    });
  } finally {
    await vendor.close();
  }
}

async function cpuPerThousand(read: Reader, { streams, tokens }: Load): Promise<number> {
  const expected = writeProse(tokens, "answer");
  const ms = await cpuMsOf(async () => {
    for (const text of await Promise.all(Array.from({ length: streams }, read)))
      if (text !== expected) throw new Error("An answer did not arrive as it was sent.");
  });
  return (ms / (streams * tokens)) * 1000;
}
