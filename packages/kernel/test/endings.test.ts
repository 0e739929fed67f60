import { outstanding } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { table } from "./play.js";

const TEAM = ["ada", "bob", "cyd"];

/** A team in which everybody has answered and evaluates. */
function evaluating(ids: readonly string[] = TEAM, change: Parameters<typeof table>[1] = {}) {
  const run = table(ids, change);
  for (const id of ids) run.answer(id, `by ${id}`);
  return run;
}
const won = (run: ReturnType<typeof table>) => run.of("winner_selected")[0];
const finished = (run: ReturnType<typeof table>) => run.of("run_finished")[0];

describe("the winner", () => {
  it("EC07: two self-votes are a tie that registration order breaks", () => {
    const run = evaluating(["ada", "bob"]);
    run.vote("bob", "agent2");
    run.vote("ada", "agent1");
    expect(won(run)).toMatchObject({ winner: "ada", isTie: true, tieBrokenBy: "registration_order", consensus: "tie_broken" });
    expect(won(run)?.tieBreakTrace.map(({ criterion, survivors }) => [criterion, survivors.length])).toEqual([
      ["peer_votes", 2],
      ["registration_order", 1],
    ]);
  });

  it("EC08: two votes for each other are the same tie", () => {
    const run = evaluating(["ada", "bob"]);
    run.vote("ada", "agent2");
    run.vote("bob", "agent1");
    expect(won(run)).toMatchObject({ winner: "ada", tieBrokenBy: "registration_order" });
  });

  it("EC09: two peers' votes beat one's own and a peer's", () => {
    const run = evaluating(["x", "y", "v", "w"]);
    run.vote("x", "agent1");
    run.vote("v", "agent1");
    run.vote("w", "agent2");
    run.vote("y", "agent2");
    expect(won(run)).toMatchObject({ isTie: true, tieBrokenBy: "registration_order" });
    const other = evaluating(["x", "y", "v", "w", "z"]);
    other.vote("x", "agent1");
    other.vote("v", "agent1");
    other.vote("w", "agent2");
    other.vote("z", "agent2");
    other.vote("y", "agent5");
    expect(won(other)).toMatchObject({ winner: "y", isTie: true, tieBrokenBy: "peer_votes" });
  });

  it("the chain is the configured one; higher mean confidence breaks a tie when any was given", () => {
    const run = evaluating(["ada", "bob"], { tieBreak: ["confidence"] });
    run.vote("ada", "agent2", 0.9);
    run.vote("bob", "agent1", 0.4);
    expect(won(run)).toMatchObject({ winner: "bob", tieBrokenBy: "confidence" });
    const latest = evaluating(["ada", "bob"], { tieBreak: ["latest_answer"] });
    latest.vote("ada", "agent1");
    latest.vote("bob", "agent2");
    expect(won(latest)).toMatchObject({ winner: "bob", tieBrokenBy: "latest_answer" });
  });

  it.each([
    [["agent1", "agent1", "agent1"], "unanimous"],
    [["agent1", "agent1", "agent2"], "majority"],
  ] as const)("votes %j are %s", (votes, consensus) => {
    const run = evaluating();
    for (const [index, target] of votes.entries()) run.vote(TEAM[index]!, target);
    expect(won(run)).toMatchObject({ consensus, isTie: false, selection: "votes" });
  });

  it("two of five votes for the leader are a plurality", () => {
    const run = evaluating(["a", "b", "c", "d", "e"]);
    for (const [voter, target] of [
      ["a", "agent1"],
      ["b", "agent1"],
      ["c", "agent2"],
      ["d", "agent3"],
      ["e", "agent4"],
    ] as const)
      run.vote(voter, target);
    expect(won(run)).toMatchObject({ winner: "a", consensus: "plurality" });
  });

  it("EC02: two of three fail; the one left votes for itself and wins with a majority of one", () => {
    const run = table(TEAM);
    run.fail("ada");
    run.fail("bob");
    run.answer("cyd", "z");
    run.vote("cyd", "agent3");
    expect(won(run)).toMatchObject({ winner: "cyd", consensus: "majority" });
  });

  it("without votes the latest answer wins", () => {
    const run = evaluating(["ada", "bob"]);
    for (const id of ["ada", "bob"]) for (let attempt = 0; attempt < 3; attempt++) run.answer(id, "by ada");
    expect(won(run)).toMatchObject({ winner: "bob", selection: "latest_answer", consensus: "none" });
  });
});

describe("failure", () => {
  it("EC01: every agent refused by its vendor: error, no winner, each named, nothing tried again", () => {
    const run = table(TEAM);
    for (const id of TEAM) run.fail(id, "backend_fatal");
    expect(finished(run)).toMatchObject({ status: "error", winner: null, message: expect.stringContaining("backend_fatal of bob") });
    expect(run.of("round_started")).toHaveLength(3);
  });

  it.each(["backend_transient", "stall"] as const)("a %s is forgiven once with a fresh conversation; the second ends the agent", (kind) => {
    const run = table(TEAM);
    expect(run.fail("ada", kind).map((fact) => fact.type)).toEqual(["agent_failed", "restart_completed", "round_started"]);
    expect(run.fail("ada", kind)).toMatchObject([{ type: "agent_failed", fatal: true }]);
  });

  it.each(["backend_fatal", "context_overflow", "internal"] as const)("a %s ends the agent at once", (kind) => {
    const run = table(TEAM);
    expect(run.fail("ada", kind)).toMatchObject([{ fatal: true, kind }]);
  });

  it("EC03: all fail but one had streamed text: it is kept as a partial result, without another call", () => {
    const run = table(["ada", "bob"]);
    run.fail("ada");
    run.fail("bob", "backend_fatal", "  half an answer ");
    expect(run.of("answer_submitted")).toMatchObject([{ agent: "bob", content: "half an answer", salvaged: true }]);
    expect(finished(run)).toMatchObject({ status: "partial", winner: "bob" });
    expect(run.state.finalAnswer).toBe("half an answer");
    expect(run.of("presentation_started")).toEqual([]);
  });

  it("EC04: a winner that failed at its vendor keeps its stored answer, without another call", () => {
    const run = evaluating();
    run.vote("bob", "agent1");
    run.fail("ada", "backend_fatal");
    run.fail("cyd", "backend_fatal");
    expect(won(run)).toMatchObject({ winner: "ada" });
    expect(run.of("presentation_finished")).toMatchObject([{ content: "by ada", fallback: "failed_agent" }]);
    expect(finished(run)?.status).toBe("completed");
  });

  it("EC05: a winner that only broke the protocol presents normally", () => {
    const run = evaluating(["ada", "bob"]);
    for (let attempt = 0; attempt < 3; attempt++) run.nothing("ada");
    run.vote("bob", "agent1");
    expect(outstanding(run.state, run.policy)[0]).toMatchObject({ kind: "present", agent: "ada", round: 2 });
  });
});

describe("time limits", () => {
  const orchestrator = "timer:orchestrator:orchestrator";

  it("EC50: no answer at the orchestrator's limit: timeout, no winner, a message that names the limit", () => {
    const run = table(TEAM);
    run.timer(orchestrator);
    expect(run.of("orchestrator_timeout")).toEqual([{ type: "orchestrator_timeout", limitMs: 1_800_000, agents: TEAM }]);
    expect(finished(run)).toMatchObject({ status: "timeout", winner: null, message: expect.stringContaining("time limit") });
  });

  it("EC51: the answer voted for is reused, with no call after the limit", () => {
    const run = evaluating(["ada", "bob"]);
    run.vote("ada", "agent2");
    run.timer(orchestrator);
    expect(won(run)).toMatchObject({ winner: "bob", selection: "votes" });
    expect(run.state.finalAnswer).toBe("by bob");
    expect(run.of("presentation_finished")).toMatchObject([{ fallback: "skipped" }]);
    expect(finished(run)).toMatchObject({ status: "timeout", winner: "bob" });
  });

  it("EC52: with votes only in an older epoch, those of the newest one that had any decide", () => {
    const run = evaluating(TEAM, { fairnessLeadCap: null });
    run.vote("ada", "agent2");
    run.answer("cyd", "better");
    run.timer(orchestrator);
    expect(won(run)).toMatchObject({ winner: "bob", label: "agent2.1", selection: "previous_epoch" });
  });

  it("W21: the votes of an older epoch elect no superseded answer whose check failed while another's passed", () => {
    const run = table(["ada", "bob"], { verifyRequired: true, fairnessLeadCap: null });
    const checked = (agent: string, content: string, passed: boolean): void => {
      const { round } = run.agent(agent);
      const verification = { passed, exitCode: passed ? 0 : 1, durationMs: 1, summary: "" };
      run.send({ type: "answer_offered", agent, round, content, fingerprint: content, snapshot: null, verification });
    };
    checked("ada", "fails", false);
    checked("bob", "fails too", false);
    run.vote("ada", "agent2");
    checked("bob", "passes", true);
    run.timer(orchestrator);
    expect(won(run)).toMatchObject({ winner: "bob", label: "agent2.2" });
  });

  it("text streamed until the limit is salvaged when there is nothing else", () => {
    const run = table(TEAM);
    run.timer(orchestrator, { bob: "so far so good" });
    expect(run.state.finalAnswer).toBe("so far so good");
    expect(finished(run)).toMatchObject({ status: "timeout", winner: "bob" });
  });

  it("EC53: the presenter's limit makes the stored answer final and keeps what was streamed", () => {
    const run = evaluating(["ada", "bob"]);
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    expect(run.timer("timer:presentation:presentation", { bob: "half of it" })[0]).toMatchObject({
      fallback: "timeout",
      content: "by bob",
      partial: "half of it",
    });
    expect(finished(run)?.status).toBe("completed");
  });

  it("a round's soft limit asks to wrap up; the grace runs from its delivery; then only workflow tools are served", () => {
    const run = table(["ada", "bob"], { limits: { initialRoundMs: 5_000, roundGraceMs: 700 } });
    const timers = () => outstanding(run.state, run.policy).filter((effect) => effect.kind === "timer" && effect.agent === "ada");
    expect(timers()).toMatchObject([{ limit: "soft", afterMs: 5_000, sinceSeq: run.agent("ada").roundSeq }]);
    run.timer(timers()[0]!.id);
    expect(timers()).toEqual([]);
    expect(outstanding(run.state, run.policy)[0]).toMatchObject({ inputs: { wrapUp: true, hardTimeout: false } });
    run.send({ type: "wrap_up_delivered", agent: "ada", round: 0 });
    expect(timers()).toMatchObject([{ limit: "hard", afterMs: 700, sinceSeq: run.state.seq }]);
    run.timer(timers()[0]!.id);
    expect(outstanding(run.state, run.policy)[0]).toMatchObject({ inputs: { hardTimeout: true } });
  });

  it("insisting after the hard limit: an agent with an answer abstains, the text of another becomes its answer", () => {
    const run = evaluating(["ada", "bob"]);
    expect(run.send({ type: "round_timed_out", agent: "ada", round: 1, answer: null, text: "" })[0]).toEqual({
      type: "agent_abstained",
      agent: "ada",
      code: "hard_timeout",
    });
    const late = table(["ada", "bob"]);
    expect(
      late.send({
        type: "round_timed_out",
        agent: "ada",
        round: 0,
        answer: { content: "x", fingerprint: "x", snapshot: null },
        text: "x",
      })[0],
    ).toMatchObject({ type: "answer_submitted" });
    expect(late.send({ type: "round_timed_out", agent: "bob", round: 0, answer: null, text: "" })[0]).toMatchObject({
      type: "agent_timeout",
      limit: "hard",
    });
  });

  it("after the hard limit a stale vote counts, for the version its voter had seen", () => {
    const run = evaluating(["ada", "bob"], { limits: { subsequentRoundMs: 1_000 } });
    run.timer("timer:soft:1:bob");
    run.send({ type: "wrap_up_delivered", agent: "bob", round: 1 });
    run.timer("timer:hard:1:bob");
    run.answer("ada", "newer");
    expect(run.vote("bob", "agent1")[0]).toMatchObject({ type: "vote_cast", targetLabel: "agent1.1" });
  });

  it("a timer the state no longer calls for changes nothing", () => {
    const run = evaluating();
    expect(run.timer("timer:soft:0:ada")).toEqual([]);
    expect(run.timer("timer:presentation:presentation")).toEqual([]);
  });
});

describe("presentation", () => {
  function presenting() {
    const run = evaluating(["ada", "bob"]);
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    return run;
  }

  it("is done by the winner in a round of its own, and its trimmed text is the final answer", () => {
    const run = presenting();
    expect(run.of("presentation_started")).toEqual([
      { type: "presentation_started", agent: "bob", label: "agent2.1", round: 2, strategy: "winner_present" },
    ]);
    run.send({ type: "presented", agent: "ada", content: "not me" });
    run.send({ type: "presented", agent: "bob", content: "\nfinal text\n" });
    expect(run.state).toMatchObject({ phase: "finished", finalAnswer: "final text", status: "completed" });
  });

  it("EC54: a cut stream leaves the stored answer", () => {
    const run = presenting();
    expect(run.send({ type: "presentation_failed", agent: "bob", why: "error", partial: "three words only" })[0]).toMatchObject({
      content: "by bob",
      fallback: "error",
      partial: "three words only",
    });
  });

  it("EC55: white space leaves the stored answer", () => {
    const run = presenting();
    expect(run.send({ type: "presented", agent: "bob", content: " \n " })[0]).toMatchObject({ content: "by bob", fallback: "empty" });
  });
});

describe("cancel", () => {
  it("ends the run at once, without a winner before the decision", () => {
    const run = evaluating();
    expect(run.send({ type: "cancel_requested", reason: "SIGINT", texts: {} }).map((fact) => fact.type)).toEqual([
      "cancelled",
      "agent_cancelled",
      "agent_cancelled",
      "agent_cancelled",
      "phase_changed",
      "run_finished",
    ]);
    expect(finished(run)).toMatchObject({ status: "cancelled", winner: null });
    expect(run.send({ type: "cancel_requested", reason: "again", texts: {} })).toEqual([]);
  });

  it("keeps the stored answer of a winner that was already decided", () => {
    const run = evaluating(["ada", "bob"]);
    run.vote("ada", "agent2");
    run.vote("bob", "agent2");
    run.send({ type: "cancel_requested", reason: "SIGINT", texts: { bob: "half" } });
    expect(run.state.finalAnswer).toBe("by bob");
    expect(run.of("presentation_finished")).toMatchObject([{ fallback: "skipped", partial: "half" }]);
    expect(finished(run)).toMatchObject({ status: "cancelled", winner: "bob" });
  });
});

describe("one agent", () => {
  it("EC43: its answer is the final text; no vote, no presentation call", () => {
    const run = table(["solo"], {}, "single");
    expect(outstanding(run.state, run.policy)[0]).toMatchObject({ kind: "run_round", inputs: { tools: [] } });
    run.answer("solo", "42");
    expect(run.of("winner_selected")).toMatchObject([{ winner: "solo", label: "agent1.1", selection: "single", consensus: "single" }]);
    expect(run.of("presentation_finished")).toMatchObject([{ content: "42", fallback: null }]);
    expect(run.state.status).toBe("completed");
  });

  it("three responses without text fail it", () => {
    const run = table(["solo"], {}, "single");
    for (let attempt = 0; attempt < 3; attempt++) run.nothing("solo", "", "empty_answer", "new_answer");
    expect(run.of("answer_rejected")).toHaveLength(3);
    expect(finished(run)?.status).toBe("error");
  });
});
