import { outstanding } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { table } from "./play.js";

const PRESENTED = "presentation_started";

describe("one agent that refines", () => {
  const refine = (change = {}) => table(["ada"], change, "refine");

  it("improves its answer until the cap, two unless configured, and ends there without a vote or a presentation", () => {
    const run = refine();
    run.answer("ada", "first");
    expect(run.of("round_started").map(({ kind, shown, tools }) => [kind, shown, tools])).toEqual([
      ["initial", [], ["new_answer"]],
      ["evaluation", ["agent1.1"], ["new_answer", "vote"]],
    ]);
    run.answer("ada", "second");
    expect(run.of("winner_selected")).toMatchObject([{ label: "agent1.2", selection: "single", consensus: "single" }]);
    expect(run.of("presentation_finished")).toMatchObject([{ content: "second", fallback: null }]);
    expect(run.types()).not.toContain(PRESENTED);
    expect(run.state.status).toBe("completed");
  });

  it("EC44: with max_rounds 3 it gives at most three answers", () => {
    const run = refine({ maxRounds: 3 });
    for (const text of ["a", "b", "c", "d"]) run.answer("ada", text);
    expect(run.state.answers).toHaveLength(3);
    expect(run.state.finalAnswer).toBe("c");
    expect(run.of("limit_reached")).toMatchObject([{ agent: "ada", limit: "per_agent", value: 3 }]);
  });

  it.each([
    [{ maxRounds: 3, maxAnswersPerAgent: 2 }, 2],
    [{ maxAnswersPerAgent: 4 }, 4],
    [{ maxRounds: 1 }, 1],
  ])("takes the smaller of the configured caps: %j", (change, most) => {
    const run = refine(change);
    for (const text of ["a", "b", "c", "d", "e"]) run.answer("ada", text);
    expect(run.state.answers).toHaveLength(most);
  });

  it("accepts its answer by a vote, and the newest one is the result", () => {
    const run = refine({ maxRounds: 5 });
    run.answer("ada", "first");
    run.answer("ada", "second");
    run.vote("ada", "agent1");
    expect(run.state).toMatchObject({ phase: "finished", finalAnswer: "second", decision: { selection: "single" } });
  });

  it("keeps what it has when a later round fails", () => {
    const run = refine();
    run.answer("ada", "first");
    run.fail("ada");
    expect(run.state).toMatchObject({ status: "completed", finalAnswer: "first" });
  });
});

describe("shortcuts", () => {
  it("EC80: without coordination the first agent presents at once, with no answer to stand on", () => {
    const run = table(["ada", "bob"], { skipCoordination: true });
    expect(run.of("coordination_skipped")).toMatchObject([{ agent: "ada" }]);
    expect(run.of("winner_selected")).toMatchObject([{ winner: "ada", label: null, selection: "skipped" }]);
    expect(outstanding(run.state, run.policy).map((effect) => effect.id)).toEqual(["present:direct", "timer:presentation:presentation"]);
    run.send({ type: "presented", agent: "ada", content: " at once " });
    expect(run.state).toMatchObject({ status: "completed", finalAnswer: "at once" });
    expect(run.of("round_started")).toEqual([]);
  });

  it("a presenter without coordination and without text has failed; half a text is kept as a partial result", () => {
    const blank = table(["ada", "bob"], { skipCoordination: true });
    blank.send({ type: "presented", agent: "ada", content: " " });
    expect(blank.of("run_finished")).toMatchObject([{ status: "error", winner: null }]);
    const half = table(["ada", "bob"], { skipCoordination: true });
    half.send({ type: "presentation_failed", agent: "ada", why: "error", partial: "half a text" });
    expect(half.state).toMatchObject({ status: "partial", finalAnswer: "half a text" });
  });

  it("without voting the run is decided when everybody has answered, by the latest answer", () => {
    const run = table(["ada", "bob", "cyd"], { skipVoting: true });
    run.answer("ada", "one");
    run.answer("bob", "two");
    expect(run.state.phase).toBe("coordinating");
    run.answer("cyd", "one");
    expect(run.of("winner_selected")).toMatchObject([{ winner: "cyd", label: "agent3.1", selection: "latest_answer", consensus: "none" }]);
    expect(run.of("round_started").every(({ tools }) => tools.join() === "new_answer")).toBe(true);
    expect(run.of(PRESENTED)).toMatchObject([{ agent: "cyd", strategy: "winner_present" }]);
  });

  it("without voting an agent that starts over after a failure may still only answer", () => {
    const run = table(["ada", "bob"], { skipVoting: true });
    run.answer("ada", "one");
    run.fail("bob", "backend_transient");
    expect(run.of("round_started").at(-1)).toMatchObject({ agent: "bob", kind: "initial", tools: ["new_answer"] });
    run.fail("bob", "backend_transient");
    expect(run.state.decision).toMatchObject({ winner: "ada" });
  });

  it("merging without a vote is done by the first live agent that has an answer", () => {
    const run = table(["ada", "bob", "cyd"], { skipVoting: true, finalAnswer: "synthesize" });
    run.fail("ada");
    run.answer("cyd", "c");
    run.answer("bob", "b");
    expect(run.of("winner_selected")).toMatchObject([{ winner: "bob", selection: "presenter" }]);
    expect(run.of(PRESENTED)).toMatchObject([{ agent: "bob", label: "agent2.1", strategy: "synthesize" }]);
  });

  it("merging after a vote is done by the winner", () => {
    const run = table(["ada", "bob"], { finalAnswer: "synthesize" });
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    expect(run.of(PRESENTED)).toMatchObject([{ agent: "bob", strategy: "synthesize" }]);
  });

  it("reusing makes the stored answer final without another call", () => {
    const run = table(["ada", "bob"], { finalAnswer: "reuse" });
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    expect(run.of("presentation_finished")).toMatchObject([{ agent: "bob", content: "b", fallback: "skipped" }]);
    expect(run.state.status).toBe("completed");
    expect(run.types()).not.toContain(PRESENTED);
  });

  it("the ensemble: one answer each unseen by the others, one vote each, one merger", () => {
    const run = table(["ada", "bob", "cyd"], {
      peerUpdates: "next_round",
      deferVotingUntilAllAnswered: true,
      maxAnswersPerAgent: 1,
      finalAnswer: "synthesize",
    });
    for (const id of ["ada", "bob", "cyd"]) run.answer(id, `of ${id}`);
    for (const id of ["ada", "bob", "cyd"]) run.vote(id, "agent2");
    expect(run.of("round_started")).toHaveLength(6);
    expect(run.types()).not.toContain("update_injected");
    expect(run.of(PRESENTED)).toMatchObject([{ agent: "bob", strategy: "synthesize" }]);
  });
});

describe("the sequential workflow", () => {
  const pipeline = () => table(["ada", "bob", "cyd"], {}, "sequential");

  it("runs one stage after another on what the earlier ones delivered; the last one's answer is final", () => {
    const run = pipeline();
    expect(run.of("round_started")).toMatchObject([{ agent: "ada", kind: "stage", round: 0, shown: [], tools: ["new_answer"] }]);
    run.answer("ada", "draft");
    run.answer("bob", "draft");
    run.answer("cyd", "polished");
    expect(run.of("round_started").map(({ agent, shown }) => [agent, shown])).toEqual([
      ["ada", []],
      ["bob", ["agent1.1"]],
      ["cyd", ["agent1.1", "agent2.1"]],
    ]);
    expect(run.of("winner_selected")).toMatchObject([{ label: "agent3.1", selection: "latest_answer", consensus: "none" }]);
    expect(run.state).toMatchObject({ status: "completed", finalAnswer: "polished" });
    for (const type of [PRESENTED, "vote_cast", "restart_triggered", "update_injected", "stragglers_given_up"] as const)
      expect(run.types()).not.toContain(type);
  });

  it("EC74: stage 2 of 3 fails: the answer of stage 1 is final, partial, and stage 3 never starts", () => {
    const run = pipeline();
    run.answer("ada", "draft");
    run.fail("bob");
    expect(run.state).toMatchObject({ status: "partial", finalAnswer: "draft", decision: { winner: "ada", label: "agent1.1" } });
    expect(run.of("run_finished")).toMatchObject([{ message: "Stage 2 (bob) delivered nothing; the answer of stage 1 is final." }]);
    expect(run.of("round_started").map(({ agent }) => agent)).toEqual(["ada", "bob"]);
  });

  it("without any successful stage there is no result", () => {
    const run = pipeline();
    run.fail("ada");
    expect(run.of("run_finished")).toMatchObject([{ status: "error", winner: null }]);
  });

  it("starts a stage over after a transient failure, as any round", () => {
    const run = pipeline();
    run.answer("ada", "draft");
    run.fail("bob", "stall");
    run.answer("bob", "better");
    run.answer("cyd", "best");
    expect(run.state).toMatchObject({ status: "completed", finalAnswer: "best" });
  });

  it("ignores the caps of voting: each stage delivers", () => {
    const run = table(["ada", "bob", "cyd"], { maxAnswersGlobal: 1, maxAnswersPerAgent: 1 }, "sequential");
    for (const id of ["ada", "bob", "cyd"]) run.answer(id, id);
    expect(run.state.finalAnswer).toBe("cyd");
  });
});

describe("decomposition", () => {
  const parts = (change = {}, ids = ["ada", "bob"]) => table(ids, change, "decomposition");

  it("gives each agent its part on record, and new_answer and stop to call", () => {
    const run = parts();
    expect(run.of("subtasks_set")).toMatchObject([{ subtasks: { ada: "part of ada", bob: "part of bob" } }]);
    expect(run.agent("ada")).toMatchObject({ subtask: "part of ada", tools: ["new_answer", "stop"] });
  });

  it("is over when everybody has stopped; the last agent with an answer puts the parts together", () => {
    const run = parts();
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.stop("ada");
    expect(run.agent("ada")).toMatchObject({ standing: "stopped", stop: { status: "complete", by: "agent" } });
    run.stop("bob", "blocked", "no key");
    expect(run.of("winner_selected")).toMatchObject([{ winner: "bob", selection: "presenter", consensus: "none", tally: [] }]);
    expect(run.of(PRESENTED)).toMatchObject([{ agent: "bob", strategy: "assemble" }]);
  });

  it("prefers the configured presenter, if it has an answer and can be asked", () => {
    const chosen = parts({ presenterAgent: "ada" });
    chosen.answer("ada", "a");
    chosen.answer("bob", "b");
    chosen.stop("ada");
    chosen.stop("bob");
    expect(chosen.state.decision).toMatchObject({ winner: "ada" });
    const failed = parts({ presenterAgent: "ada" });
    failed.answer("ada", "a");
    failed.answer("bob", "b");
    failed.fail("ada");
    failed.stop("bob");
    expect(failed.state.decision).toMatchObject({ winner: "bob" });
  });

  it("falls back on all parts in order, not on the presenter's own", () => {
    const run = parts();
    run.answer("bob", "second part");
    run.answer("ada", "first part");
    run.stop("ada");
    run.stop("bob");
    run.send({ type: "presentation_failed", agent: "bob", why: "error", partial: "" });
    expect(run.state.finalAnswer).toBe("first part\n\nsecond part");
  });

  it("a stop is undone by a new answer of somebody else, and the agent looks again", () => {
    const run = parts();
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.stop("ada");
    run.answer("bob", "better b");
    expect(run.of("restart_triggered").at(-1)).toMatchObject({ by: "bob", affected: ["ada"] });
    expect(run.agent("ada")).toMatchObject({ standing: "streaming", stop: null });
    expect(run.of("round_started").at(-2)).toMatchObject({ agent: "ada", shown: ["agent1.1", "agent2.2"] });
  });

  it("a stop that has not seen the newest answers does not count, and costs no attempt", () => {
    const run = parts();
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.answer("bob", "better b");
    run.stop("ada");
    expect(run.of("stop_ignored")).toMatchObject([{ agent: "ada", unseen: ["agent2.2"] }]);
    expect(run.of("update_injected").at(-1)).toMatchObject({ agent: "ada", labels: ["agent2.2"] });
    expect(run.agent("ada").attempts).toBe(0);
    run.stop("ada");
    expect(run.agent("ada").standing).toBe("stopped");
  });

  it("the cap counts answers in a row: it stops the agent by itself, and news of a peer give it room again", () => {
    const run = parts({ maxAnswersPerAgent: 1, fairnessLeadCap: null });
    run.answer("ada", "a");
    expect(run.of("agent_stopped")).toMatchObject([{ agent: "ada", by: "limit", status: "complete" }]);
    run.answer("bob", "b");
    expect(run.agent("ada").standing).toBe("streaming");
    run.answer("ada", "a that fits b");
    expect(run.agent("ada")).toMatchObject({ answers: 2, streak: 1, standing: "stopped" });
  });

  it("with the answers of all used up the rest are stopped without being asked", () => {
    const run = parts({ maxAnswersGlobal: 2 }, ["ada", "bob", "cyd"]);
    run.answer("ada", "a");
    run.answer("bob", "b");
    expect(run.of("agent_stopped").map(({ agent, by }) => [agent, by])).toEqual([
      ["ada", "limit"],
      ["bob", "limit"],
    ]);
    run.answer("cyd", "too late");
    expect(run.of("answer_rejected")).toMatchObject([{ code: "answer_limit", message: expect.stringContaining("call stop instead") }]);
    run.stop("cyd", "blocked");
    expect(run.state.decision).toMatchObject({ winner: "bob" });
  });

  it("a part that claims to be complete without an answer is asked for it, and taken at its word in the end", () => {
    const run = parts();
    run.stop("ada");
    expect(run.of("enforcement_retry")).toMatchObject([{ code: "stop_without_answer", attempt: 1 }]);
    run.stop("ada", "blocked");
    expect(run.agent("ada").standing).toBe("stopped");
    run.stop("bob");
    run.stop("bob");
    run.stop("bob");
    expect(run.of("run_finished")).toMatchObject([{ status: "error" }]);
  });

  it("an answer and a stop in one response are refused twice; then the answer counts", () => {
    const run = parts();
    const both = () =>
      run.send({
        type: "several_offered",
        agent: "ada",
        round: run.agent("ada").round,
        answer: { content: "a", fingerprint: "a", snapshot: null },
        votes: [],
        stop: { summary: "done", status: "complete" },
        text: "",
      });
    both();
    both();
    expect(run.of("enforcement_retry").map(({ code }) => code)).toEqual(["stop_and_answer", "stop_and_answer"]);
    both();
    expect(run.state.answers.map(({ label }) => label)).toEqual(["agent1.1"]);
  });

  it("the time limit of the run joins the parts there are", () => {
    const run = parts();
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.timer("timer:orchestrator:orchestrator");
    expect(run.state).toMatchObject({ status: "timeout", finalAnswer: "a\n\nb" });
  });
});
