import { cachedTokensOf, sum } from "../fake-vendor/cached-tokens.js";
import type { WireCall } from "../fake-vendor/virtual-vendor.js";
import type { Benchmark } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { playStandardRun, TEAM_SIZES } from "../tokens/standard-run.js";
import { CACHED_PRICE, OUTPUT_PRICE, priceOfOneAgent } from "./floor.js";

const TARGETS: Readonly<Record<number, { readonly must: number; readonly aim: number }>> = {
  3: { must: 5.3, aim: 3.5 },
  5: { must: 9.3, aim: 5.1 },
  10: { must: 23, aim: 9.6 },
};

/** In prices of one uncached input token. */
export function priceOf(calls: readonly WireCall[]): number {
  const input = sum(calls.map((call) => call.inputTokens));
  const cached = sum(cachedTokensOf(calls, "model"));
  return input - cached * (1 - CACHED_PRICE) + OUTPUT_PRICE * sum(calls.map((call) => call.outputTokens));
}

export const cost: Benchmark = {
  name: "cost",
  kind: "counted",
  async run() {
    const metrics: Metric[] = [];
    for (const size of TEAM_SIZES) {
      const orders = [
        ["", false],
        ["eager", true],
      ] as const;
      for (const [order, eager] of orders) {
        const { calls } = await playStandardRun(size, { models: "one", eager });
        const variant = [`${size} agents`, order].filter((part) => part !== "").join(", ");
        metrics.push(
          counted(
            { bench: "cost.multiple", variant, metric: "price", unit: "" },
            { ours: priceOf(calls), floor: priceOfOneAgent },
            eager ? {} : TARGETS[size],
          ),
        );
      }
    }
    return metrics;
  },
};
