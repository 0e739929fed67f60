import { outstanding, parseVoteTarget } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { table } from "./play.js";

const eager = { deferVotingUntilAllAnswered: false } as const;

/** Two agents that have both answered and evaluate: `ada` is agent1, `bob` is agent2. */
function twoEvaluating() {
  const run = table(["ada", "bob"]);
  run.answer("ada", "LRU");
  run.answer("bob", "LFU");
  return run;
}

describe("vote targets", () => {
  it.each([
    ["agent2", "agent2"],
    ["Agent 2", "agent2"],
    ["agent_2", "agent2"],
    ["<agent2>", "agent2"],
    ["agent2.1", "agent2"],
    ['"agent2".', "agent2"],
    ["[AGENT2]", "agent2"],
    [" agent10 ", "agent10"],
    ["agent10.3", "agent10"],
    ["agent02", null],
    ["agent0", null],
    ["2", null],
    ["bob", null],
    ["agent", null],
    ["agent2 or agent3", null],
    ["agent-2", null],
    ["", null],
    ["agent1e1", null],
  ])("EC14: %j means %j", (text, target) => expect(parseVoteTarget(text)).toBe(target));

  it("EC10: an unknown target is refused with the valid ids, uses an attempt, and the next vote counts", () => {
    const run = twoEvaluating();
    const [refused] = run.vote("bob", "agent99");
    expect(refused).toMatchObject({ type: "vote_rejected", code: "invalid_vote_id", attempt: 1, maxAttempts: 3 });
    expect(refused).toHaveProperty("message", '"agent99" is none of the answers you have been shown; vote for one of: agent1, agent2');
    expect(run.vote("bob", "agent1")[0]).toMatchObject({ type: "vote_cast", target: "ada", targetLabel: "agent1.1" });
  });

  it("EC11: an invalid target three times fails the agent, and the others finish", () => {
    const run = twoEvaluating();
    for (let attempt = 0; attempt < 3; attempt++) run.vote("bob", "nobody");
    expect(run.agent("bob")).toMatchObject({ standing: "error", failure: { kind: "protocol" } });
    run.vote("ada", "agent2");
    expect(run.state.decision).toMatchObject({ winner: "bob", selection: "votes" });
  });

  it("EC12: a configured id is never a target", () => {
    const run = table(["agent_a", "agent_b"]);
    run.answer("agent_a", "x");
    run.answer("agent_b", "y");
    expect(run.vote("agent_a", "agent_b")[0]).toMatchObject({ type: "vote_rejected", code: "invalid_vote_id" });
  });

  it("EC13: swapped configured ids are read as anonymous ids", () => {
    const run = table(["agent2", "agent1"]);
    run.answer("agent2", "x");
    run.answer("agent1", "y");
    expect(run.vote("agent1", "agent1")[0]).toMatchObject({ type: "vote_cast", target: "agent2", targetLabel: "agent1.1" });
  });

  it("EC15: a vote before any answer was shown is unavailable, and says to answer", () => {
    const run = table(["ada", "bob"]);
    expect(run.vote("ada", "agent2")[0]).toMatchObject({
      type: "vote_rejected",
      code: "tool_unavailable",
      message: expect.stringContaining("new_answer"),
    });
  });

  it("EC16: an agent without an answer is no target", () => {
    const run = table(["ada", "bob", "cyd"], { ...eager, fairnessLeadCap: null });
    run.answer("ada", "x");
    run.answer("bob", "y");
    expect(run.vote("ada", "agent3")[0]).toMatchObject({ code: "invalid_vote_id" });
  });

  it("EC45: agent1 is never confused with agent10", () => {
    const ids = Array.from({ length: 10 }, (_, index) => `a${index + 1}`);
    const run = table(ids);
    for (const id of ids) run.answer(id, `answer of ${id}`);
    expect(run.state.answers.at(-1)?.label).toBe("agent10.1");
    expect(run.vote("a3", "agent10")[0]).toMatchObject({ target: "a10" });
    expect(run.vote("a4", "agent1")[0]).toMatchObject({ target: "a1" });
  });
});

describe("votes and new answers", () => {
  it("EC34: a new answer voids the votes cast before, names their voters, and sends them to look again", () => {
    const run = table(["ada", "bob", "cyd"]);
    for (const id of ["ada", "bob", "cyd"]) run.answer(id, `by ${id}`);
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    const facts = run.answer("cyd", "better");
    expect(facts.map((fact) => fact.type)).toEqual([
      "answer_submitted",
      "vote_invalidated",
      "restart_triggered",
      "restart_completed",
      "round_started",
      "restart_completed",
      "round_started",
      "restart_completed",
      "round_started",
    ]);
    expect(facts[1]).toEqual({ type: "vote_invalidated", voters: ["ada", "bob"], byLabel: "agent3.2" });
    expect(facts[2]).toEqual({ type: "restart_triggered", by: "cyd", affected: ["ada", "bob"] });
    expect(run.agent("ada")).toMatchObject({ standing: "streaming", vote: null, restarts: 2 });
  });

  it("EC35: of an answer and a vote the one that arrives first is judged first", () => {
    const late = twoEvaluating();
    late.answer("ada", "ARC");
    expect(late.vote("bob", "agent1")[0]).toMatchObject({ type: "vote_ignored", unseen: ["agent1.2"] });
    const early = twoEvaluating();
    expect(early.vote("bob", "agent1")[0]).toMatchObject({ type: "vote_cast" });
    expect(early.answer("ada", "ARC")[1]).toMatchObject({ type: "vote_invalidated", voters: ["bob"] });
  });

  it("EC36: a stale vote is ignored, brings the update, costs no attempt, and may be cast again at once", () => {
    const run = twoEvaluating();
    run.answer("ada", "ARC");
    const facts = run.vote("bob", "agent1");
    expect(facts.map((fact) => fact.type)).toEqual(["vote_ignored", "update_injected"]);
    expect(facts[1]).toMatchObject({ labels: ["agent1.2"], tools: ["new_answer", "vote"] });
    expect(run.agent("bob").attempts).toBe(0);
    expect(run.vote("bob", "agent1")[0]).toMatchObject({ type: "vote_cast", targetLabel: "agent1.2" });
  });

  it("EC37: an agent on its first answer gets no update, and its first answer is accepted", () => {
    const run = table(["ada", "bob"], eager);
    run.answer("ada", "x");
    const work = outstanding(run.state, run.policy).find((effect) => effect.kind === "run_round" && effect.agent === "bob");
    expect(work).toMatchObject({ inputs: { unseen: [], tools: ["new_answer"] } });
    expect(run.answer("bob", "y")[0]).toMatchObject({ type: "answer_submitted", label: "agent2.1" });
  });

  it("EC38: two updates are injected in a round, a third waits for a new one", () => {
    const run = table(["ada", "bob", "cyd", "dan"], { fairnessLeadCap: null });
    for (const id of ["ada", "bob", "cyd", "dan"]) run.answer(id, `by ${id}`);
    const unseen = () =>
      outstanding(run.state, run.policy).flatMap((effect) =>
        effect.kind === "run_round" && effect.agent === "dan" ? effect.inputs.unseen : [],
      );
    run.answer("ada", "second by ada");
    expect(unseen()).toEqual(["agent1.2"]);
    run.delivered("dan", "agent1.2");
    run.answer("bob", "second by bob");
    run.delivered("dan", "agent2.2");
    run.answer("cyd", "second by cyd");
    expect(unseen()).toEqual([]);
    const facts = run.vote("dan", "agent3");
    expect(facts.map((fact) => fact.type)).toEqual(["vote_ignored", "restart_completed", "round_started"]);
    expect(facts[2]).toMatchObject({ shown: ["agent4.1", "agent1.2", "agent2.2", "agent3.2"] });
  });

  it("EC40: without injection an update never enters a running round", () => {
    const run = table(["ada", "bob"], { peerUpdates: "next_round" });
    run.answer("ada", "x");
    run.answer("bob", "y");
    run.answer("ada", "z");
    expect(outstanding(run.state, run.policy).find((effect) => effect.kind === "run_round" && effect.agent === "bob")).toMatchObject({
      inputs: { unseen: [] },
    });
    run.vote("bob", "agent1");
    expect(run.of("update_injected")).toEqual([]);
    expect(run.agent("bob").round).toBe(2);
  });

  it("counts a delivery once, and only what was new", () => {
    const run = twoEvaluating();
    run.answer("ada", "ARC");
    expect(run.delivered("bob", "agent1.2", "agent1.1", "agent9.1")[0]).toMatchObject({ type: "update_injected", labels: ["agent1.2"] });
    expect(run.delivered("bob", "agent1.2")).toEqual([]);
  });
});

describe("several calls in one response", () => {
  it("EC17: answer and vote together are refused whole; one of them then counts", () => {
    const run = twoEvaluating();
    expect(run.several("bob", "both", "agent1")).toMatchObject([{ type: "enforcement_retry", code: "vote_and_answer", attempt: 1 }]);
    expect(run.vote("bob", "agent1")[0]).toMatchObject({ type: "vote_cast" });
  });

  it("EC18: the third time the answer counts", () => {
    const run = twoEvaluating();
    run.several("bob", "both", "agent1");
    run.several("bob", "both", "agent1");
    expect(run.several("bob", "both", "agent1")[0]).toMatchObject({ type: "answer_submitted", label: "agent2.2", content: "both" });
  });

  it("the third time the vote counts when the answer would be refused, and is marked as coerced", () => {
    const run = twoEvaluating();
    for (let attempt = 0; attempt < 2; attempt++) run.several("bob", "LFU", "agent1");
    expect(run.several("bob", "LFU", "agent1")[0]).toMatchObject({ type: "vote_cast", coerced: true });
  });

  it("votes for different targets are refused twice, then the last valid one counts", () => {
    const run = twoEvaluating();
    expect(run.several("bob", null, "agent1", "agent2")).toMatchObject([{ code: "multiple_votes", attempt: 1 }]);
    run.several("bob", null, "agent1", "agent2");
    expect(run.several("bob", null, "agent1", "agent2", "agent7")[0]).toMatchObject({ type: "vote_cast", target: "bob", coerced: true });
  });
});
