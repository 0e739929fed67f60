import { outstanding } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { table } from "./play.js";

const toolsOf = (run: ReturnType<typeof table>, id: string) =>
  outstanding(run.state, run.policy).flatMap((effect) =>
    effect.kind === "run_round" && effect.agent === id ? [effect.inputs.tools] : [],
  )[0];

describe("answers", () => {
  it("EC24: a blank answer is refused and uses up no label", () => {
    const run = table(["ada", "bob"]);
    expect(run.answer("ada", " \n")).toMatchObject([{ type: "answer_rejected", code: "empty_answer", attempt: 1 }]);
    expect(run.answer("ada", "x")[0]).toMatchObject({ label: "agent1.1", supersedes: null });
  });

  it("EC28: its own previous answer again is a duplicate; three times with an answer to stand by is an abstention", () => {
    const run = table(["ada", "bob"]);
    run.answer("ada", "x");
    run.answer("bob", "y");
    expect(run.answer("ada", "x")).toMatchObject([{ code: "answer_duplicate", message: expect.stringContaining("agent1") }]);
    run.answer("ada", "x");
    expect(run.answer("ada", "x").map((fact) => fact.type)).toEqual(["answer_rejected", "agent_abstained"]);
    run.vote("bob", "agent1");
    expect(run.state.decision?.winner).toBe("ada");
  });

  it("a peer's answer word for word is a duplicate too; a replaced version is not", () => {
    const run = table(["ada", "bob"]);
    run.answer("ada", "x");
    run.answer("bob", "y");
    expect(run.answer("bob", "x")).toMatchObject([{ code: "answer_duplicate" }]);
    run.answer("bob", "z");
    expect(run.answer("ada", "y")[0]).toMatchObject({ type: "answer_submitted" });
  });

  it("EC22: text twice, then the tool: accepted, with two retries on the record", () => {
    const run = table(["ada", "bob"]);
    run.nothing("ada", "my answer is x");
    run.nothing("ada", "my answer is x");
    expect(run.answer("ada", "x")[0]).toMatchObject({ type: "answer_submitted" });
    expect(run.of("enforcement_retry").map(({ attempt, code }) => [attempt, code])).toEqual([
      [1, "no_tool_calls"],
      [2, "no_tool_calls"],
    ]);
  });

  it("EC23: text three times fails the agent; its earlier answer remains a candidate and can win", () => {
    const run = table(["ada", "bob"]);
    run.answer("ada", "x");
    run.answer("bob", "y");
    for (let attempt = 0; attempt < 3; attempt++) run.nothing("ada");
    expect(run.agent("ada")).toMatchObject({ standing: "error", failure: { kind: "protocol" } });
    run.vote("bob", "agent1");
    expect(run.state).toMatchObject({ phase: "presenting", decision: { winner: "ada" } });
  });

  it("EC26: unreadable arguments use an attempt, and a tool that may not be called is refused for that first", () => {
    const run = table(["ada", "bob"]);
    expect(run.nothing("ada", "", "invalid_arguments", "new_answer")).toMatchObject([
      { type: "answer_rejected", code: "invalid_arguments" },
    ]);
    expect(run.nothing("ada", "", "invalid_arguments", "vote")).toMatchObject([{ type: "vote_rejected", code: "tool_unavailable" }]);
  });

  it("labels count accepted answers only and are never reused", () => {
    const run = table(["ada", "bob"]);
    run.answer("ada", "x");
    run.answer("bob", "y");
    run.answer("ada", "x");
    expect(run.answer("ada", "z")[0]).toMatchObject({ label: "agent1.2", supersedes: "agent1.1" });
  });
});

describe("caps", () => {
  it("EC32: at the cap an agent may only vote; insisting three times is an abstention and the run completes", () => {
    const run = table(["ada", "bob"], { maxAnswersPerAgent: 1 });
    expect(run.answer("ada", "x").at(-1)).toEqual({ type: "limit_reached", agent: "ada", limit: "per_agent", value: 1 });
    run.answer("bob", "y");
    expect(run.agent("ada")).toMatchObject({ kind: "vote_only", tools: ["vote"] });
    for (let attempt = 0; attempt < 3; attempt++) expect(run.answer("ada", "z")[0]).toMatchObject({ code: "tool_unavailable" });
    expect(run.agent("ada").standing).toBe("abstained");
    run.vote("bob", "agent1");
    expect(run.state.phase).toBe("presenting");
  });

  it("EC33: an agent caught by the global cap in its first round is shown the answers and may vote", () => {
    const run = table(["ada", "bob", "cyd"], { maxAnswersGlobal: 2 });
    run.answer("ada", "x");
    run.answer("bob", "y");
    expect(toolsOf(run, "cyd")).toEqual(["new_answer"]);
    expect(run.answer("cyd", "z")).toMatchObject([
      { code: "answer_limit" },
      { type: "update_injected", labels: ["agent1.1", "agent2.1"], tools: ["vote"] },
    ]);
    expect(run.vote("cyd", "agent2")[0]).toMatchObject({ type: "vote_cast" });
  });

  it("EC33: if it insists, it abstains, and the run completes", () => {
    const run = table(["ada", "bob", "cyd"], { maxAnswersGlobal: 2 });
    run.answer("ada", "x");
    run.answer("bob", "y");
    for (let attempt = 0; attempt < 3; attempt++) run.answer("cyd", "z");
    expect(run.agent("cyd")).toMatchObject({ standing: "abstained", answers: 0 });
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    expect(run.state.decision).toMatchObject({ winner: "bob" });
  });

  it("without a cap the safety cap of 20 answers ends an endless improver", () => {
    const run = table(["ada", "bob"], { fairnessLeadCap: null });
    run.answer("bob", "y");
    for (let version = 1; version <= 20; version++) run.answer("ada", `version ${version}`);
    expect(run.of("limit_reached")).toEqual([{ type: "limit_reached", agent: "ada", limit: "safety", value: 20 }]);
    expect(run.answer("ada", "one more")).toMatchObject([{ code: "tool_unavailable" }]);
  });
});

describe("waiting for others", () => {
  it("three agents: nobody evaluates before every live agent has its first answer", () => {
    const run = table(["ada", "bob", "cyd"]);
    run.answer("ada", "x");
    run.answer("bob", "y");
    expect(["ada", "bob"].map((id) => run.agent(id).standing)).toEqual(["answered", "answered"]);
    expect(run.of("restart_triggered")).toEqual([]);
    expect(run.answer("cyd", "z").filter((fact) => fact.type === "round_started")).toHaveLength(3);
  });

  it("a peer that fails before its first answer is not waited for", () => {
    const run = table(["ada", "bob", "cyd"]);
    run.answer("ada", "x");
    run.answer("bob", "y");
    expect(run.fail("cyd").filter((fact) => fact.type === "round_started")).toHaveLength(2);
  });

  it("stragglers are given up after the larger of a minute and patience times the median first answer", () => {
    const run = table(["ada", "bob", "cyd"]);
    run.answer("ada", "x");
    expect(outstanding(run.state, run.policy).some((effect) => effect.id.startsWith("timer:stragglers"))).toBe(false);
    run.answer("bob", "y");
    const timer = outstanding(run.state, run.policy).find((effect) => effect.id.startsWith("timer:stragglers"));
    const median = run.state.answers[1]!.seq;
    expect(timer).toMatchObject({
      sinceSeq: median,
      afterMs: 60_000,
      scaled: { factor: 2, fromSeq: run.state.coordinatingSeq, toSeq: median },
    });
    const facts = run.timer(timer!.id);
    expect(facts[0]).toEqual({ type: "stragglers_given_up", waitingFor: ["cyd"] });
    expect(facts.filter((fact) => fact.type === "round_started")).toHaveLength(2);
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    expect(run.state.phase).toBe("coordinating");
    expect(run.answer("cyd", "late")[1]).toMatchObject({ type: "vote_invalidated", voters: ["ada", "bob"] });
  });

  it("patience 0: the hold ends with the median answer, and who is still on its first answer at the end is cancelled", () => {
    const run = table(["ada", "bob", "cyd"], { stragglerPatience: 0 });
    run.answer("ada", "x");
    run.answer("bob", "y");
    const timer = outstanding(run.state, run.policy).find((effect) => effect.id.startsWith("timer:stragglers"));
    expect(timer).toMatchObject({ afterMs: 0 });
    run.timer(timer!.id);
    run.vote("ada", "agent2");
    expect(run.vote("bob", "agent2").map((fact) => fact.type)).toEqual([
      "vote_cast",
      "agent_cancelled",
      "winner_selected",
      "phase_changed",
      "presentation_started",
    ]);
    expect(run.of("agent_cancelled")).toEqual([{ type: "agent_cancelled", agent: "cyd", reason: "straggler" }]);
  });

  it("patience null waits for everybody", () => {
    const run = table(["ada", "bob", "cyd"], { stragglerPatience: null });
    run.answer("ada", "x");
    run.answer("bob", "y");
    expect(outstanding(run.state, run.policy).map((effect) => effect.id)).toEqual(["round:0:cyd", "timer:orchestrator:orchestrator"]);
  });

  it("an agent is not started on a round in which the only answer is its own", () => {
    const run = table(["ada", "bob"]);
    run.answer("ada", "x");
    expect(run.agent("ada").standing).toBe("answered");
    run.answer("bob", "y");
    expect(run.agent("ada").standing).toBe("streaming");
  });

  it("EC41: a fast agent pauses two answers ahead of one stuck on its first, and resumes when that one fails", () => {
    const run = table(["ada", "bob", "cyd"], { deferVotingUntilAllAnswered: false });
    run.answer("ada", "1");
    run.answer("bob", "2");
    run.answer("ada", "3");
    expect(run.of("fairness_pause")).toEqual([{ type: "fairness_pause", agent: "ada", lead: 3, cap: 2 }]);
    expect(run.agent("ada").standing).toBe("answered");
    const facts = run.fail("cyd");
    expect(facts.map((fact) => fact.type)).toEqual(["agent_failed", "fairness_resume", "restart_completed", "round_started"]);
  });

  it("an answer that has become too far ahead while it was written is refused; voting is the way out", () => {
    const run = table(["ada", "bob", "cyd"], { fairnessLeadCap: 1 });
    for (const id of ["ada", "bob", "cyd"]) run.answer(id, `first by ${id}`);
    run.answer("ada", "second by ada");
    run.answer("bob", "second by bob");
    expect(run.of("fairness_pause").map((fact) => fact.agent)).toEqual(["ada", "bob"]);
    run.delivered("cyd", "agent1.2", "agent2.2");
    run.vote("cyd", "agent2");
    run.answer("bob", "third by bob");
    expect(run.answer("ada", "third by ada")).toMatchObject([
      { type: "answer_rejected", code: "fairness_lead", message: expect.stringContaining("2 ahead") },
    ]);
  });

  it("an agent that may only vote waits for an answer that is on its way, and its vote is cast once", () => {
    const run = table(["ada", "bob", "cyd"], { maxAnswersPerAgent: 2, fairnessLeadCap: null });
    for (const id of ["ada", "bob", "cyd"]) run.answer(id, `first by ${id}`);
    run.answer("ada", "second by ada");
    expect(run.agent("ada").standing).toBe("answered");
    run.delivered("bob", "agent1.2");
    run.delivered("cyd", "agent1.2");
    run.answer("bob", "second by bob");
    run.delivered("cyd", "agent2.2");
    run.vote("cyd", "agent2");
    for (const id of ["ada", "bob"]) expect(run.agent(id)).toMatchObject({ standing: "streaming", kind: "vote_only" });
  });

  it("an agent whose vote was voided votes again when its peers at work have seen the answer that voided it", () => {
    const run = table(["ada", "bob", "cyd"]);
    for (const id of ["ada", "bob", "cyd"]) run.answer(id, `first by ${id}`);
    run.vote("ada", "agent2");
    run.answer("bob", "second by bob");
    expect(run.agent("ada").standing).toBe("restarting");
    expect(run.agent("bob").standing).toBe("streaming");
    run.delivered("cyd", "agent2.2");
    expect(run.agent("ada")).toMatchObject({ standing: "streaming", kind: "evaluation" });
  });

  it("where votes are not held, it votes at once", () => {
    const run = table(["ada", "bob", "cyd"], { maxAnswersPerAgent: 2, fairnessLeadCap: null, deferVotingUntilAllAnswered: false });
    for (const id of ["ada", "bob", "cyd"]) run.answer(id, `first by ${id}`);
    run.answer("ada", "second by ada");
    expect(run.agent("ada").standing).toBe("streaming");
  });

  it("EC42: when every gate holds, gates are dropped and the run goes on", () => {
    const run = table(["ada", "bob"], { fairnessLeadCap: 0 });
    run.answer("ada", "1");
    const facts = run.answer("bob", "2");
    expect(facts.find((fact) => fact.type === "deadlock_avoided")).toEqual({ type: "deadlock_avoided", gates: ["fairness"] });
    expect(facts.filter((fact) => fact.type === "round_started")).toHaveLength(2);
  });
});
