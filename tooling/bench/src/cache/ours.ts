import { type CacheScope, cachedTokensOf, sum } from "../fake-vendor/cached-tokens.js";
import type { WireCall } from "../fake-vendor/virtual-vendor.js";
import type { Benchmark } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { playStandardRun, STANDARD_QUESTION, TEAM_SIZES } from "../tokens/standard-run.js";
import { findDivergences } from "./find-divergences.js";
import { mostCacheable } from "./floor.js";

/** Share of the input that an ideal prompt cache would have had: of requests of the same agent, or of the same model. */
export function cachedShare(calls: readonly WireCall[], scope: CacheScope): number {
  return sum(cachedTokensOf(calls, scope)) / sum(calls.map((call) => call.inputTokens));
}

const MODEL_TARGETS: Readonly<Record<number, { readonly must: number; readonly aim: number }>> = {
  3: { must: 0.7, aim: 0.83 },
  5: { must: 0.75, aim: 0.88 },
  10: { must: 0.8, aim: 0.93 },
};

export const cache: Benchmark = {
  name: "cache",
  kind: "counted",
  async run() {
    const metrics: Metric[] = [];
    const three = await playStandardRun(3, { models: "own" });
    metrics.push(
      counted(
        { bench: "cache.agent", variant: "fresh rounds", metric: "cached", unit: "" },
        { ours: cachedShare(three.calls, "agent") },
        { better: "higher", must: 0.4, aim: 0.43 },
      ),
    );
    for (const size of TEAM_SIZES) {
      const { calls } = await playStandardRun(size, { models: "one" });
      const figure = counted(
        { bench: "cache.model", variant: `${size} agents`, metric: "cached", unit: "" },
        { ours: cachedShare(calls, "model"), floor: mostCacheable(size), judged: "ours" },
        { better: "higher", ...MODEL_TARGETS[size] },
      );
      metrics.push(figure);
    }
    const rotated = await playStandardRun(3, { models: "one", answerOrder: "rotate" });
    metrics.push(
      counted(
        { bench: "cache.model", variant: "3 agents, rotate", metric: "cached", unit: "" },
        { ours: cachedShare(rotated.calls, "model") },
        { better: "higher" },
      ),
    );
    const improving = await playStandardRun(3, { models: "one", answers: 3 });
    const divergences = findDivergences(improving.calls, STANDARD_QUESTION);
    metrics.push(
      counted(
        { bench: "cache.stable", variant: "", metric: "pairs that differ before the original message ends", unit: "" },
        { ours: divergences.beforeMessage },
        { must: 0, aim: 0 },
      ),
      counted(
        { bench: "cache.stable", variant: "", metric: "pairs that differ before the first replaced answer", unit: "" },
        { ours: divergences.beforeUnchangedAnswers },
        { aim: 0 },
      ),
    );
    return metrics;
  },
};
