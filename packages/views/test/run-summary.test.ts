import { describe, expect, it } from "vitest";
import { analysisPrompt, emptyRunView, runSummary, summaryText } from "../src/index.js";
import { viewOf } from "./fold.js";
import { frozenRun, RUNS } from "./frozen-runs.js";

describe("a run at a glance", () => {
  it.each(["voidedVotes", "failures", "cancelledEarly"] as const)("%s", async (name) => {
    await expect(summaryText(viewOf(frozenRun(name)))).toMatchFileSnapshot(`golden/summary-${name}.txt`);
  });

  it.each(RUNS)("%s: the summary is JSON without loss", (name) => {
    const summary = runSummary(viewOf(frozenRun(name)));
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
  });

  it("of a run that has not ended, says whether anybody still writes it", () => {
    const running = viewOf(frozenRun("voidedVotes").slice(0, 12));
    expect(summaryText(running)).toContain("status    in progress");
    expect(summaryText(running, { interrupted: true })).toContain("status    interrupted");
  });

  it("of nothing, claims nothing", () => {
    expect(runSummary(emptyRunView)).toMatchObject({ winner: null, duration_seconds: null, errors: [], agents: [] });
  });

  it("the prompt for an analysis holds summary, decision and the place of the files", () => {
    const prompt = analysisPrompt(viewOf(frozenRun("voidedVotes")), { folder: "/w/log_1" });
    for (const part of ["`/w/log_1`", "# Decision", "winner    agent3 (cleo)"]) expect(prompt).toContain(part);
  });
});
