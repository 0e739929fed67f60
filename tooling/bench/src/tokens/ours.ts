import { measureScenario } from "../coord/ours.js";
import { scenarios } from "../coord/scenarios.js";
import { sum } from "../fake-vendor/cached-tokens.js";
import type { Benchmark } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { leastInputTokens } from "./floor.js";
import { baseTokens, playStandardRun, TASK_TOKENS } from "./standard-run.js";

export const tokens: Benchmark = {
  name: "tokens",
  kind: "counted",
  async run() {
    return [
      counted(
        { bench: "tokens.base", metric: "tools and system message", unit: "tokens" },
        { ours: await baseTokens() },
        { must: 900, aim: 500 },
      ),
      await measureOverhead("S = 2800", true, { must: 1.1, aim: 1.03 }),
      await measureOverhead("coordination alone", false, {}),
      counted(
        { bench: "tokens.enforcement", metric: "calls our refusals caused", unit: "" },
        { ours: await countRefusals() },
        { must: 0, aim: 0 },
      ),
    ];
  },
};

/** Input tokens over what the protocol must show. */
export async function measureOverhead(
  variant: string,
  filled: boolean,
  targets: { readonly must?: number; readonly aim?: number },
): Promise<Metric> {
  const { calls } = await playStandardRun(3, { models: "own", filled });
  const ours = sum(calls.map((call) => call.inputTokens));
  const floor = sum(calls.map((call) => leastInputTokens(call, TASK_TOKENS)));
  return counted({ bench: "tokens.overhead", variant, metric: "input", unit: "tokens" }, { ours, floor }, targets);
}

/** In all scripted runs together: none of the scripts breaks a rule, so none should be refused. */
async function countRefusals(): Promise<number> {
  let refusals = 0;
  for (const scenario of scenarios) refusals += (await measureScenario(scenario, "default")).refusals;
  return refusals;
}
