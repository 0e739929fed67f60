import type { SimulatedApi } from "@massgen/simulator";
import { writeProse } from "../fake-vendor/prose.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { counted, type Metric, timed } from "../harness/metric.js";
import { APIS, openBackend } from "./apis.js";
import { readByHand, textOf } from "./floor.js";
import { type ReadTurn, readTurn } from "./read-turn.js";
import { type RecordedReply, recordReply, replayed, replaying } from "./recorded-reply.js";

export async function timeInProcess({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("read.inprocess")) return [];
  const metrics: Metric[] = [];
  for (const api of APIS) {
    const { events, turn } = await recordReply(api, { kind: "message", text: writeProse(quick ? 100 : 10_000, "answer") });
    const read = reading(api, { events, turn });
    const taken = await measurePairs(
      () => cpuMsOf(read),
      () => cpuMsOf(async () => expectSame(await readByHand(replayed(events), textOf[api]), turn.text)),
      pairs,
    );
    const name = { bench: "read.inprocess", variant: api, metric: "CPU", unit: "ms" };
    metrics.push(
      timed(
        name,
        comparePairs(taken, (ms) => ms),
        { must: 2, aim: 1.3 },
      ),
    );
  }
  return metrics;
}

/** Cut into single bytes, an answer is the same answer. */
export async function countBytewise({ quick, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("read.packets")) return [];
  const metrics: Metric[] = [];
  for (const api of APIS) {
    const { events, turn } = await recordReply(api, { kind: "message", text: writeProse(quick ? 30 : 1000, "answer") });
    const bytes = events.flatMap((event) => Array.from(event, (byte) => Uint8Array.of(byte)));
    const { text } = await readTurn(openBackend(api, { baseUrl: NOWHERE, model: "bench", fetch: replaying(bytes) }));
    const name = { bench: "read.packets", variant: `${api}, one byte a packet`, metric: "wrong answers", unit: "" };
    metrics.push(counted(name, { ours: text === turn.text ? 0 : 1 }, { must: 0, aim: 0 }));
  }
  return metrics;
}

/** How many times the shortest the others are. Every sample reads as much in sum: the shortest as often as the longest is long. */
const LENGTHS = { long: 10, longest: 100 } as const;
const QUICK_LENGTHS = { long: 2, longest: 4 } as const;

export async function timeLong({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("read.long")) return [];
  const lengths = quick ? QUICK_LENGTHS : LENGTHS;
  const metrics: Metric[] = [];
  for (const api of APIS) {
    for (const kind of ["text", "call"] as const) {
      // 1,000 tokens, or a call of 200 pieces.
      const shortest = kind === "text" ? 1000 : 2400;
      const scale = quick ? 100 : 1;
      const read = async (times: number) => reading(api, await recordLong(api, kind, (shortest * times) / scale));
      const [short, long, longest] = [await read(1), await read(lengths.long), await read(lengths.longest)];
      const taken = await measurePairs(
        async () => ({ long: await cpuMsOf(() => repeat(long, lengths.longest / lengths.long)), longest: await cpuMsOf(longest) }),
        async () => {
          const ms = await cpuMsOf(() => repeat(short, lengths.longest));
          return { long: ms, longest: ms };
        },
        // Each reads 200,000 tokens and more: a few pairs say what many would.
        { pairs: Math.min(3, pairs.pairs), warmUps: Math.min(1, pairs.warmUps) },
      );
      for (const length of ["long", "longest"] as const) {
        const tokens = (shortest * lengths[length]) / scale;
        const what = kind === "text" ? `${tokens} tokens` : `call of ${tokens / CALL_TOKENS_PER_EVENT} pieces`;
        const name = { bench: "read.long", variant: `${api}, ${what}`, metric: "CPU", unit: "ms" };
        metrics.push(
          timed(
            name,
            comparePairs(taken, (ms) => ms[length]),
            { must: 1.15, aim: 1.02 },
          ),
        );
      }
    }
  }
  return metrics;
}

/** Some 50 characters: 20,000 pieces are about a megabyte. */
const CALL_TOKENS_PER_EVENT = 12;

function recordLong(api: SimulatedApi, kind: "text" | "call", tokens: number): Promise<RecordedReply> {
  const text = writeProse(tokens, "answer");
  if (kind === "text") return recordReply(api, { kind: "message", text });
  return recordReply(api, { kind: "message", toolCalls: [{ name: "save", input: { content: text } }] }, CALL_TOKENS_PER_EVENT);
}

/** Nothing is sent there. */
const NOWHERE = "http://127.0.0.1:9/v1";

function reading(api: SimulatedApi, { events, turn }: RecordedReply): () => Promise<void> {
  const backend = openBackend(api, { baseUrl: NOWHERE, model: "bench", fetch: replaying(events) });
  return async () => {
    const read: ReadTurn = await readTurn(backend);
    expectSame(read.text, turn.text);
    expectSame(read.call, turn.call);
  };
}

function expectSame(read: string, sent: string): void {
  if (read !== sent) throw new Error(`Read ${read.length} characters where ${sent.length} were sent.`);
}

async function repeat(work: () => Promise<void>, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await work();
}
