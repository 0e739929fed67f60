import type { RunMode } from "@massgen/contracts";
import { defaultPolicy, type Policy } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { countWork } from "../../src/dry-run/count-work.js";
import { type ForecastAgent, forecastRun } from "../../src/dry-run/forecast.js";

const rules = (more: Partial<Policy>): Policy => ({ ...defaultPolicy, ...more });
const agent = (more: Partial<ForecastAgent> = {}): ForecastAgent => ({
  id: "ada",
  model: "m",
  promptTokens: 1000,
  maxOutputTokens: null,
  price: { input: 1, output: 10 },
  isLocal: false,
  hasTools: false,
  ...more,
});
const team = (size: number, more: Partial<ForecastAgent> = {}): readonly ForecastAgent[] =>
  Array.from({ length: size }, (_, index) => agent({ id: `a${index}`, ...more }));
const budget = { maxTotalTokens: null, maxTotalCostUsd: null, maxLlmCalls: null, maxAgentTokens: null, maxAgentCostUsd: null } as const;
const limits = { ...budget, maxRoundCostUsd: null, warnAt: 0.8, reserveForFinal: 0.15 };

const held = { stragglerPatience: null };

describe("calls by the rules of a run", () => {
  it.each<[name: string, RunMode, size: number, Partial<Policy>, each: readonly [number, number], all: readonly [number, number]]>([
    ["one agent that answers directly", "single", 1, {}, [1, 1], [1, 1]],
    ["one that refines: an answer and a look at it, or two answers", "refine", 1, {}, [2, 3], [2, 3]],
    ["one that refines up to four times", "refine", 1, { maxAnswersPerAgent: 4, maxRounds: 6 }, [2, 5], [2, 5]],
    ["three that answer once and vote when all have answered", "voting", 3, { maxAnswersPerAgent: 1, ...held }, [2, 3], [7, 7]],
    ["without waiting for stragglers their answers void votes", "voting", 3, { maxAnswersPerAgent: 1 }, [2, 4], [7, 10]],
    ["three, two answers each: every later answer voids votes", "voting", 3, { maxAnswersPerAgent: 2, ...held }, [2, 6], [7, 16]],
    ["max_rounds counts like the cap per agent", "voting", 3, { maxRounds: 2, maxAnswersPerAgent: 5, ...held }, [2, 6], [7, 16]],
    ["no cap: three answers each are counted", "voting", 2, {}, [2, 7], [5, 13]],
    ["a cap over all: one later answer", "voting", 3, { maxAnswersPerAgent: 2, maxAnswersGlobal: 4, ...held }, [2, 4], [7, 10]],
    ["nobody votes", "voting", 3, { skipVoting: true }, [1, 2], [4, 4]],
    ["the winner's answer as it stands", "voting", 3, { maxAnswersPerAgent: 1, finalAnswer: "reuse", ...held }, [2, 2], [6, 6]],
    ["a pipeline: one answer each, no vote, no presentation", "sequential", 4, {}, [1, 1], [4, 4]],
    ["parts: each is delivered and stopped, one puts them together", "decomposition", 2, { maxRounds: 1 }, [2, 3], [5, 5]],
    ["another attempt: twice the work and a judgement", "voting", 2, { maxAnswersPerAgent: 1, maxRestarts: 1 }, [2, 7], [6, 11]],
    ["planning mode: one more call", "voting", 2, { maxAnswersPerAgent: 1, planningMode: true }, [2, 4], [6, 6]],
    ["no coordination: one agent is asked once", "voting", 3, { skipCoordination: true }, [0, 1], [1, 1]],
  ])("%s", (_name, mode, size, policy, [least, most], [all, atMost]) => {
    const { agents, total } = forecastRun({ mode, policy: rules(policy), agents: team(size) });
    expect(Math.min(...agents.map(({ calls }) => calls.low))).toBe(least);
    expect(Math.max(...agents.map(({ calls }) => calls.high))).toBe(most);
    expect(total.calls).toEqual({ low: all, high: atMost });
  });

  it("are never fewer at most than at least, whatever the rules", () => {
    const modes: readonly RunMode[] = ["voting", "refine", "decomposition", "sequential", "single"];
    const caps = [null, 1, 2, 20];
    for (const mode of modes)
      for (const maxAnswersPerAgent of caps)
        for (const maxAnswersGlobal of caps)
          for (const skipVoting of [false, true]) {
            const size = mode === "refine" || mode === "single" ? 1 : 3;
            const { agents, steps } = countWork(mode, rules({ maxAnswersPerAgent, maxAnswersGlobal, skipVoting }), size);
            for (const { low, high } of [...agents.flatMap((one) => [one.answers, one.decisions]), steps.answers, steps.decisions])
              expect([mode, maxAnswersPerAgent, maxAnswersGlobal, low <= high]).toEqual([mode, maxAnswersPerAgent, maxAnswersGlobal, true]);
          }
  });
});

describe("tokens, dollars and time", () => {
  it("of one answer: its prompt, its text, its price, its speed", () => {
    const { total } = forecastRun({ mode: "single", policy: defaultPolicy, agents: [agent()] });
    expect(total).toEqual({
      calls: { low: 1, high: 1 },
      inputTokens: { low: 1000, high: 1000 },
      outputTokens: { low: 300, high: 3000 },
      costUsd: { low: 0.004, high: 0.031 },
      wallMs: { low: 500 + 2000, high: 4000 + 75_000 },
    });
  });

  it("max_tokens bounds what is written", () => {
    const { total } = forecastRun({ mode: "single", policy: defaultPolicy, agents: [agent({ maxOutputTokens: 200 })] });
    expect(total.outputTokens).toEqual({ low: 200, high: 200 });
  });

  it("an unknown price makes the cost unknown, of its agent and of the whole, and says so", () => {
    const agents = [agent({ id: "a" }), agent({ id: "b", price: null })];
    const forecast = forecastRun({ mode: "voting", policy: defaultPolicy, agents });
    expect(forecast.agents.map(({ costUsd }) => costUsd === null)).toEqual([false, true]);
    expect(forecast.total.costUsd).toBeNull();
    expect(forecast.assumptions.join(" ")).toContain("unknown");
  });

  it("a free model costs nothing, which is not unknown", () => {
    const { total } = forecastRun({ mode: "voting", policy: defaultPolicy, agents: team(2, { price: { input: 0, output: 0 } }) });
    expect(total.costUsd).toEqual({ low: 0, high: 0 });
  });

  it("tools make the most more and leave the least as it is", () => {
    const without = forecastRun({ mode: "voting", policy: defaultPolicy, agents: team(2) }).total;
    const withTools = forecastRun({ mode: "voting", policy: defaultPolicy, agents: team(2, { hasTools: true }) }).total;
    expect(withTools.calls).toEqual({ low: without.calls.low, high: without.calls.high * 8 });
    expect(withTools.costUsd!.low).toBe(without.costUsd!.low);
  });

  it("a pipeline takes the sum of its stages, a team the slowest of each step", () => {
    const alone = forecastRun({ mode: "single", policy: defaultPolicy, agents: team(1) }).total.wallMs.low;
    expect(forecastRun({ mode: "sequential", policy: defaultPolicy, agents: team(3) }).total.wallMs.low).toBe(3 * alone);
    const skip = rules({ skipVoting: true, finalAnswer: "reuse" });
    expect(forecastRun({ mode: "voting", policy: skip, agents: team(3) }).total.wallMs.low).toBe(alone);
  });

  it("the time limit bounds the time until the decision", () => {
    const policy = rules({ limits: { ...defaultPolicy.limits, orchestratorMs: 10_000 }, finalAnswer: "reuse" });
    expect(forecastRun({ mode: "voting", policy, agents: team(3) }).total.wallMs.high).toBe(10_000);
  });

  it("a budget bounds the whole and each agent", () => {
    const policy = rules({ budget: { ...limits, maxLlmCalls: 6, maxTotalCostUsd: 0.05, maxAgentTokens: 5000 } });
    const { agents, total } = forecastRun({ mode: "voting", policy, agents: team(3) });
    expect(total.calls.high).toBe(6);
    expect(total.costUsd!.high).toBe(0.05);
    for (const { inputTokens, outputTokens } of agents) expect(Math.round(inputTokens.high + outputTokens.high)).toBe(5000);
  });
});
