import { outstanding } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { type PolicyChange, table } from "./play.js";

const IDS = ["ada", "bob", "cy"];
const team = (change: PolicyChange = {}, parted: readonly string[] = []) => table(IDS, change, "decomposition", parted);
const work = (run: ReturnType<typeof table>) => outstanding(run.state, run.policy);
const parts = (run: ReturnType<typeof table>) => run.of("subtasks_set").at(-1)?.subtasks ?? {};

describe("dividing the work", () => {
  it("asks the first agent before the first round, under a limit of its own", () => {
    const run = team({ limits: { divisionMs: 5_000 } });
    expect(run.state.phase).toBe("preparing");
    expect(work(run)).toMatchObject([
      { kind: "divide", agent: "ada" },
      { kind: "timer", limit: "division", afterMs: 5_000, sinceSeq: run.state.seq },
    ]);
  });

  it("gives everybody a part, keeps those that were given, and begins", () => {
    const run = team({}, ["bob"]);
    run.send({ type: "divided", agent: "ada", subtasks: { ada: " facts ", bob: "something else", cy: "style" }, failure: null });
    expect(run.of("work_divided")).toMatchObject([{ agent: "ada", failure: null }]);
    expect(parts(run)).toEqual({ ada: "facts", bob: "part of bob", cy: "style" });
    expect(run.state.phase).toBe("coordinating");
    expect(run.agent("cy")).toMatchObject({ subtask: "style", standing: "streaming" });
  });

  it("asks nobody when everybody was given a part, nor where nothing is divided", () => {
    expect(team({}, IDS).of("division_started")).toEqual([]);
    expect(table(IDS).of("division_started")).toEqual([]);
    expect(team({ skipCoordination: true }).of("division_started")).toEqual([]);
  });

  it("asks the next agent when a backend fails; after the last one everybody takes a share", () => {
    const run = team({}, ["bob"]);
    for (const agent of IDS) run.send({ type: "division_failed", agent, message: "503" });
    expect(run.of("division_started").map(({ agent }) => agent)).toEqual(IDS);
    expect(run.of("work_divided")).toMatchObject([{ agent: null, failure: "503" }]);
    expect(parts(run)).toMatchObject({
      ada: expect.stringMatching(/^Share 1 of 3: /),
      bob: "part of bob",
      cy: expect.stringMatching(/^Share 3 of 3: /),
    });
    expect(run.state.phase).toBe("coordinating");
  });

  it.each([
    ["a reply that cannot be read", { subtasks: {}, failure: "no JSON" }],
    ["a part that is missing", { subtasks: { ada: "facts", bob: "style" }, failure: null }],
    ["a part that is blank", { subtasks: { ada: "facts", bob: "style", cy: " " }, failure: null }],
  ])("shares for %s", (_what, reply) => {
    const run = team();
    run.send({ type: "divided", agent: "ada", ...reply });
    expect(run.of("work_divided")).toMatchObject([{ agent: null, failure: expect.any(String) }]);
    expect(parts(run)).toMatchObject({ cy: expect.stringMatching(/^Share 3 of 3/) });
  });

  it("shares when the time is over, and when it is not to be asked for", () => {
    const late = team();
    late.send({ type: "timer_fired", timer: "timer:division:division", texts: {} });
    expect(late.of("work_divided")).toMatchObject([{ agent: null }]);
    const unasked = team({ dividesWork: false });
    expect(unasked.of("division_started")).toEqual([]);
    expect(unasked.state.phase).toBe("coordinating");
  });

  it("a reply of somebody who was not asked, or who was asked before, changes nothing", () => {
    const run = team();
    run.send({ type: "division_failed", agent: "ada", message: "503" });
    for (const agent of ["ada", "cy"])
      expect(run.send({ type: "divided", agent, subtasks: { ada: "a", bob: "b", cy: "c" }, failure: null })).toEqual([]);
  });

  it("comes after the question of planning mode", () => {
    const run = team({ planningMode: true });
    expect(work(run)[0]).toMatchObject({ kind: "analyse" });
    run.send({ type: "analysed", agent: "ada", irreversible: false, blockedTools: [], failure: null });
    expect(work(run)[0]).toMatchObject({ kind: "divide", agent: "ada" });
    expect(run.send({ type: "analysed", agent: "ada", irreversible: true, blockedTools: [], failure: null })).toEqual([]);
  });

  it("is not paid for by a budget that has no room for it", () => {
    const budget = {
      maxTotalTokens: 100,
      maxTotalCostUsd: null,
      maxLlmCalls: null,
      maxAgentTokens: null,
      maxAgentCostUsd: null,
      maxRoundCostUsd: null,
    };
    const run = team({ budget: { ...budget, warnAt: 0.8, reserveForFinal: 0 } });
    const fact = {
      type: "llm_call",
      agent: "ada",
      round: -1,
      callId: "c",
      purpose: "planning",
      status: "started",
      ttftMs: null,
      durationMs: null,
      message: null,
    } as const;
    run.send({ type: "request_offered", fact, inputTokens: 200, maxOutputTokens: null, text: "" });
    expect(run.of("budget_exceeded")).toMatchObject([{ consequence: "unasked" }]);
    expect(run.of("work_divided")).toMatchObject([{ agent: null }]);
  });
});
