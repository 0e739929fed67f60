import { describe, expect, it } from "vitest";
import { metricsEvents, metricsSummary, resultReport } from "../src/index.js";
import { viewOf } from "./fold.js";
import { frozenRun } from "./frozen-runs.js";
import { START, sampleRun } from "./sample-run.js";

const context = { now: START + 140_000, sessionId: "log_20260102_101529_880000" };
const voided = viewOf(frozenRun("voidedVotes"));

describe("metrics", () => {
  it("metrics_events.json has every tool call, round and request", async () => {
    await expect(JSON.stringify(metricsEvents(voided, context), null, 2)).toMatchFileSnapshot("golden/metrics-events.json");
  });

  it("metrics_summary.json sums them up", async () => {
    await expect(JSON.stringify(metricsSummary(voided, context), null, 2)).toMatchFileSnapshot("golden/metrics-summary.json");
  });

  it("counts as wasted the tokens of rounds whose vote was voided", () => {
    // Only ada's round 1 was for nothing: bob voted again in the round in which his vote had come too late.
    expect(metricsSummary(voided, context).totals.wasted_tokens).toBe(3_350 + 90);
  });

  it("counts as wasted the tokens of a round that was started over after a vote that came too late", () => {
    const run = sampleRun(["ada", "bob"], { policy: { peerUpdates: "next_round" } });
    run.answer("ada", "one").answer("bob", "two").answer("ada", "three");
    run.spend("bob", 100, 10, null).vote("bob", "agent1", "good");
    expect(metricsSummary(viewOf(run.records), context).totals.wasted_tokens).toBe(110);
  });

  it("tells what one agent alone would have cost", () => {
    expect(metricsSummary(voided, context).baseline).toEqual({
      ada: { first_answer_label: "agent1.1", seconds: 41.8, cost: 0.0031 },
      bob: { first_answer_label: "agent2.1", seconds: 57.2, cost: 0.0142 },
      cleo: { first_answer_label: "agent3.1", seconds: 70.4, cost: 0.0009 },
    });
  });

  it("an unknown price makes every sum with it unknown, and no other", () => {
    const summary = metricsSummary(viewOf(frozenRun("tie")), context);
    expect(summary.totals.estimated_cost).toBeNull();
    expect(summary.baseline["ada"]!.cost).toBe(0.002);
    expect(summary.baseline["bob"]!.cost).toBeNull();
  });

  it("counts retries of a request as one request", () => {
    const run = sampleRun(["ada"]);
    const call = {
      type: "llm_call",
      agent: "ada",
      round: 0,
      callId: "c",
      purpose: "work",
      ttftMs: null,
      durationMs: null,
      message: "429",
    } as const;
    for (const [second, status] of [
      [1, "started"],
      [2, "retrying"],
      [5, "retrying"],
      [9, "finished"],
    ] as const) {
      run.at(second).say({ type: "activity_reported", fact: { ...call, status } });
    }
    expect(metricsEvents(viewOf(run.records), context).api_calls).toMatchObject([
      { call_index: 0, retries: 2, duration_ms: 8_000, success: true, backend_name: "openai" },
    ]);
  });

  it.each([
    ["vote", "workflow"],
    ["mcp__poll__vote", "mcp"],
    ["run_report", "custom"],
  ])("%s is a tool of type %s", (name, type) => {
    expect(metricsEvents(viewOf(sampleRun(["ada"]).tool("ada", name).records), context).tool_executions[0]).toMatchObject({
      tool_type: type,
      success: true,
    });
  });
});

describe("the result of the library call", () => {
  it("has answer, winner, votes, usage and the decision", () => {
    const result = resultReport(voided);
    expect(result).toMatchObject({
      status: "completed",
      finishReason: "completed",
      exitCode: 0,
      winner: "cleo",
      winnerLabel: "agent3.2",
      timedOut: false,
    });
    expect(result.finalAnswer).toContain("measure, then choose");
    expect(result.answers.map((answer) => answer.label)).toEqual(["agent1.1", "agent2.1", "agent3.1", "agent3.2"]);
    expect(result.usage).toEqual({ promptTokens: 31_185, completionTokens: 4_230, totalTokens: 35_415, estimatedCost: 0.0552 });
    expect(result.voteResults.vote_counts_by_label).toEqual({ "agent3.2": 2, "agent2.1": 1 });
    expect(result.decision?.winner_label).toBe("agent3.2");
  });

  it("has neither winner nor answer when nobody said anything", () => {
    expect(resultReport(viewOf(frozenRun("nothing")))).toMatchObject({
      status: "error",
      exitCode: 2,
      winner: null,
      finalAnswer: null,
      decision: null,
      answers: [],
    });
  });
});
