import { describe, expect, it } from "vitest";
import { emptyRunView, statusReport } from "../src/index.js";
import { statusContext, viewOf, viewsOf } from "./fold.js";
import { frozenRun, RUNS, type RunName } from "./frozen-runs.js";
import { cardsFor, sampleRun } from "./sample-run.js";

const statuses = (name: RunName) => viewsOf(frozenRun(name)).map((view) => statusReport(view, statusContext));

describe("status.json", () => {
  it("has the documented keys and values in the middle of a run", async () => {
    const records = frozenRun("voidedVotes");
    const middle = viewOf(records.slice(0, records.findIndex((record) => record.type === "vote_cast") + 1));
    await expect(JSON.stringify(statusReport(middle, statusContext), null, 2)).toMatchFileSnapshot("golden/status-middle.json");
  });

  it("begins with the finish reason", () => {
    expect(Object.keys(statusReport(emptyRunView, statusContext))[0]).toBe("finish_reason");
  });

  it("shows the configured agents as waiting before the run says anything", () => {
    const { agents, coordination, meta } = statusReport(emptyRunView, { ...statusContext, agents: cardsFor(["ada"]) });
    expect(agents).toMatchObject({ ada: { status: "waiting", anon_id: "agent1", model: "gpt-5-mini", answer_count: 0 } });
    expect(coordination).toMatchObject({ phase: "initial_answer", stage: "preparing", completion_percentage: 0 });
    expect(meta.question).toBe("Compare two caching strategies");
  });

  it.each(RUNS)("in %s the estimate never falls and stays under 100", (name) => {
    const percentages = statuses(name).map((status) => status.coordination.completion_percentage);
    expect(percentages).toEqual([...percentages].sort((a, b) => a - b));
    expect(Math.max(...percentages)).toBeLessThan(100);
  });

  it("reaches 100 only when all files are written", () => {
    const view = viewOf(frozenRun("voidedVotes"));
    expect(statusReport(view, statusContext).coordination.completion_percentage).toBe(92);
    expect(statusReport(view, { ...statusContext, isComplete: true })).toMatchObject({
      is_complete: true,
      coordination: { completion_percentage: 100 },
    });
  });

  it("goes through the phases and stages in order", () => {
    const seen = (key: "phase" | "stage") => [...new Set(statuses("voidedVotes").map((status) => status.coordination[key]))];
    expect(seen("phase")).toEqual(["initial_answer", "enforcement", "presentation"]);
    expect(seen("stage")).toEqual(["preparing", "initial_answer", "evaluation", "presentation", "finished"]);
  });

  it("EC34: votes disappear from the results and the agents when a new answer voids them", () => {
    const records = frozenRun("voidedVotes");
    const list = statuses("voidedVotes");
    const cast = records.findIndex((record) => record.type === "vote_cast");
    const voiding = records.findIndex((record) => record.type === "vote_invalidated");
    expect(list[cast]!.results.votes).toEqual({ "agent2.1": 1 });
    expect(list[cast]!.coordination.consensus_share).toBe(0.3333);
    expect(list[voiding]!.results.votes).toEqual({});
    expect(list[voiding]!.agents["ada"]).toMatchObject({ status: "restarting", vote_cast: null });
    expect(list[voiding]!.coordination.consensus_share).toBeNull();
  });

  it("names both failures with kind and message", () => {
    const { agents, finish_reason } = statusReport(viewOf(frozenRun("failures")), statusContext);
    expect(finish_reason).toBe("completed");
    expect(agents["ada"]).toMatchObject({ status: "error", error: { type: "backend_fatal", timestamp: 1767345330.28 } });
    expect(agents["bob"]).toMatchObject({ status: "error", error: { type: "backend_transient" }, times_restarted: 1 });
    expect(agents["cleo"]).toMatchObject({ status: "completed", error: null });
  });

  it("shows an error that is being retried, and forgets it when the agent has got over it", () => {
    const run = sampleRun(["ada", "bob"]).fail("ada", "backend_transient", "500");
    expect(statusReport(viewOf(run.records), statusContext).agents["ada"]!.error).toMatchObject({ message: "500" });
    run.answer("ada", "fine");
    expect(statusReport(viewOf(run.records), statusContext).agents["ada"]!.error).toBeNull();
  });

  it("names who is working, the one that streamed last first of all", () => {
    const view = viewOf(sampleRun(["ada", "bob"]).records);
    const { coordination } = statusReport(view, { ...statusContext, streamedAt: new Map([["bob", statusContext.now]]) });
    expect(coordination).toMatchObject({ active_agent: "bob", active_agents: ["ada", "bob"] });
    expect(statusReport(viewOf(frozenRun("cancelled")), statusContext).coordination).toMatchObject({
      active_agent: null,
      active_agents: [],
    });
  });

  it("says why an agent waits", () => {
    const run = sampleRun(["ada", "bob", "cleo"]).answer("ada", "one");
    const { agents } = statusReport(viewOf(run.records), {
      ...statusContext,
      waitReasons: new Map([
        ["ada", "first_answers"],
        ["bob", "fairness"],
      ]),
    });
    expect(agents["ada"]!.wait_reason).toBe("first_answers");
    expect(agents["bob"]!.wait_reason).toBeNull();
  });

  it("reports refused responses per round", () => {
    const { agents } = statusReport(viewOf(frozenRun("voidedVotes")), statusContext);
    expect(agents["bob"]!.reliability).toEqual({
      total_enforcement_retries: 1,
      by_round: { 1: 1 },
      unknown_tools: 0,
      workflow_errors: 0,
      outcome: "recovered",
    });
    expect(agents["ada"]!.reliability).toBeNull();
  });

  it("never reports an unknown price as a number", () => {
    const { costs, agents } = statusReport(viewOf(frozenRun("tie")), statusContext);
    expect(costs.total_estimated_cost).toBeNull();
    expect(agents["bob"]!.token_usage).toMatchObject({ estimated_cost: null, output_tokens: 210 });
  });

  it.each([
    ["cancelled", "cancelled"],
    ["timeout", "timeout"],
    ["nothing", "error"],
    ["salvaged", "error"],
    ["single", "completed"],
  ] as const)("%s finishes as %s", (name, reason) => {
    expect(statuses(name).at(-1)).toMatchObject({ finish_reason: reason, coordination: { stage: "finished" } });
  });

  it("takes the outcome from outside when the run could not say it itself", () => {
    const status = statusReport(viewOf(sampleRun(["ada"]).records), { ...statusContext, outcome: { status: "error", message: "stuck" } });
    expect(status).toMatchObject({
      finish_reason: "error",
      finish_reason_details: "stuck",
      coordination: { stage: "finished", active_agents: [] },
    });
  });

  it("cuts previews by characters", () => {
    const run = sampleRun(["ada", "bob"]).answer("ada", "x").answer("bob", "y").vote("ada", "agent2", "👩".repeat(150));
    expect(statusReport(viewOf(run.records), statusContext).agents["ada"]!.vote_cast!.reason_preview).toBe("👩".repeat(100));
  });
});
