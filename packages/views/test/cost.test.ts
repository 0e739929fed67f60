import { describe, expect, it } from "vitest";
import { costLine, costReport, costText, emptyRunView } from "../src/index.js";
import { viewOf } from "./fold.js";
import { frozenRun, RUNS, team } from "./frozen-runs.js";
import { sampleRun } from "./sample-run.js";

const voided = viewOf(frozenRun("voidedVotes"));

describe("costReport", () => {
  it.each(RUNS)("%s: agents, phases and rounds each add up to the whole", (name) => {
    const { total, agents, phases, rounds } = costReport(viewOf(frozenRun(name)));
    for (const parts of [Object.values(agents), Object.values(phases), rounds]) {
      for (const key of ["input_tokens", "output_tokens", "cached_input_tokens", "reasoning_tokens"] as const)
        expect(parts.reduce((sum, part) => sum + part[key], 0)).toBe(total[key]);
    }
  });

  it("tells the share of the input that came from caches", () => {
    const run = sampleRun(["ada", "bob"]);
    const usage = { inputTokens: 1_000, outputTokens: 10, cachedTokens: 750, reasoningTokens: 0, costUsd: 0.5 };
    run.say({ type: "usage_reported", agent: "ada", round: 0, usage });
    run.spend("bob", 1_000, 5, 0.25);
    const report = costReport(viewOf(run.records));
    expect(report.agents).toMatchObject({
      ada: { cache_hit_share: 0.75, estimated_cost: 0.5, model: "gpt-5-mini", rounds: 1 },
      bob: { cache_hit_share: 0 },
    });
    expect(report.total).toMatchObject({ cache_hit_share: 0.375, estimated_cost: 0.75 });
  });

  it("an unknown price makes every sum with it unknown, never 0, and no other", () => {
    const run = sampleRun(["ada", "bob"]);
    run.spend("ada", 10, 1, 0.5).spend("bob", 10, 1, null);
    const report = costReport(viewOf(run.records));
    expect(report.total.estimated_cost).toBeNull();
    expect(report.phases.initial_answer?.estimated_cost).toBeNull();
    expect(report.agents["ada"]?.estimated_cost).toBe(0.5);
  });

  it("before anything is spent no share of caches is claimed", () => {
    expect(costReport(emptyRunView).total.cache_hit_share).toBeNull();
  });
});

describe("costText", () => {
  it("shows agents, phases, rounds and tools as tables", async () => {
    await expect(costText(voided, { rounds: true })).toMatchFileSnapshot("golden/cost.txt");
  });

  it("says nothing before there are agents", () => {
    expect(costText(emptyRunView)).toBe("");
  });

  it("lines up names of any script by the width that is given", () => {
    const wide = (text: string): number => [...text].reduce((sum, c) => sum + (c > "\u2fff" ? 2 : 1), 0);
    const lines = costText(viewOf(team(3)), { cellWidth: wide })
      .split("\n\n")[0]!
      .trimEnd()
      .split("\n");
    expect(new Set(lines.map(wide)).size).toBe(1);
  });

  it("passes foreign names through what the screen demands", () => {
    const run = sampleRun(["a\u001b[31m"]);
    expect(costText(viewOf(run.records), { show: (text) => text.replaceAll("\u001b", "?") })).not.toContain("\u001b");
  });

  it("says the whole in one line", () => {
    expect(costLine(voided)).toMatch(/^3 agents, \d+ requests, [\d,]+ tokens in \(\d+ % from caches\), [\d,]+ out, \$\d/);
  });
});
