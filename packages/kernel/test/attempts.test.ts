import { outstanding } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { type PolicyChange, table } from "./play.js";

const FILES = { agent: "ada", version: "v0003" };

/** Two agents of whom the first has presented its answer and now judges it. */
function judging(change: PolicyChange = {}) {
  const run = table(["ada", "bob"], { maxRestarts: 1, ...change });
  decideFor(run);
  run.send({ type: "presented", agent: "ada", content: "presented", snapshot: FILES });
  return run;
}

/** Both answer, both vote for ada, who presents from then on. */
function decideFor(run: ReturnType<typeof table>): void {
  run.answer("ada", "by ada");
  run.answer("bob", "by bob");
  run.vote("ada", "agent1");
  run.vote("bob", "agent1");
}

type Run = ReturnType<typeof table>;
const at = (run: Run) => ({ agent: "ada", round: run.agent("ada").round });
const evaluate = (run: Run, verdict: "submit" | "restart", reason = "thin", instructions = "say more") =>
  run.send({ type: "evaluated", ...at(run), verdict, reason, instructions });
const miss = (run: Run) => run.send({ type: "evaluation_missed", ...at(run), code: "no_tool_calls", detail: "it called no tool" });
const judged = (run: Run) => run.of("post_evaluation_finished").at(-1);
const finished = (run: Run) => run.of("run_finished")[0];

describe("post-evaluation", () => {
  it("is asked of the presenter in a round of its own, with a time limit, only while another attempt is left", () => {
    const run = judging();
    expect(run.state.phase).toBe("evaluating");
    expect(outstanding(run.state, run.policy).map(({ kind, id }) => [kind, id])).toEqual([
      ["evaluate", "evaluate:ada"],
      ["timer", "timer:evaluation:ada"],
    ]);
    expect(run.of("post_evaluation_started")).toEqual([{ type: "post_evaluation_started", agent: "ada", round: 3 }]);
    const last = judging({ maxRestarts: 0 });
    expect(last.state.phase).toBe("finished");
    expect(last.types()).not.toContain("post_evaluation_started");
  });

  it("releases the answer on submit", () => {
    const run = judging();
    evaluate(run, "submit", "", "");
    expect(judged(run)).toMatchObject({ verdict: "submit", autoSubmitted: false, note: null });
    expect(finished(run)).toMatchObject({ status: "completed", winner: "ada" });
    expect(run.state).toMatchObject({ finalAnswer: "presented", attempt: 1 });
  });

  it("EC57: neither tool in three responses, a failure, the time limit, or nothing to go by: submitted, and said so", () => {
    const ways: readonly ((run: Run) => unknown)[] = [
      (run) => [miss(run), miss(run), miss(run)],
      (run) => run.send({ type: "evaluation_failed", ...at(run), message: "503" }),
      (run) => run.timer("timer:evaluation:ada"),
      (run) => evaluate(run, "restart", " ", ""),
    ];
    const notes = ways.map((way) => {
      const run = judging();
      way(run);
      expect(judged(run)).toMatchObject({ verdict: "submit", autoSubmitted: true });
      expect(finished(run)?.status).toBe("completed");
      return judged(run)?.note;
    });
    expect(notes).toEqual([
      "there was no decision in 3 attempts",
      "it failed: 503",
      "its time limit passed",
      "another attempt was asked for without a reason or instructions",
    ]);
    const twice = judging();
    miss(twice);
    miss(twice);
    expect(twice.state.phase).toBe("evaluating");
    evaluate(twice, "restart");
    expect(twice.state.attempt).toBe(2);
  });

  it("nobody is asked after the orchestrator's limit, a cancel, or the failure of the winner", () => {
    const late = table(["ada", "bob"], { maxRestarts: 1 });
    late.answer("ada", "by ada");
    late.timer("timer:orchestrator:orchestrator");
    expect(finished(late)?.status).toBe("timeout");
    const failed = table(["ada", "bob"], { maxRestarts: 1 });
    failed.answer("ada", "by ada");
    failed.answer("bob", "by bob");
    failed.vote("bob", "agent1");
    failed.fail("ada");
    expect(failed.of("presentation_finished")[0]?.fallback).toBe("failed_agent");
    expect(finished(failed)?.status).toBe("completed");
  });

  it("a cancel while it is judged leaves the presented answer as the final one", () => {
    const run = judging();
    run.send({ type: "cancel_requested", reason: "enough", texts: {} });
    expect(finished(run)).toMatchObject({ status: "cancelled", winner: "ada" });
    expect(run.state.finalAnswer).toBe("presented");
  });
});

describe("a restart", () => {
  it("begins anew: answers, votes, rounds, failures and seen answers are gone, what was spent and presented is kept", () => {
    const run = table(["ada", "bob", "cyd"], { maxRestarts: 1, deferVotingUntilAllAnswered: false });
    run.send({
      type: "usage_reported",
      agent: "ada",
      round: 0,
      usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 0, reasoningTokens: 0, costUsd: 0.5 },
    });
    run.answer("ada", "by ada");
    run.answer("bob", "by bob");
    run.fail("cyd", "context_overflow");
    run.vote("ada", "agent1");
    run.vote("bob", "agent1");
    run.send({ type: "presented", agent: "ada", content: "presented" });
    evaluate(run, "restart");
    expect(run.of("attempt_restarted")).toEqual([
      { type: "attempt_restarted", attempt: 2, maxAttempts: 2, reason: "thin", instructions: "say more" },
    ]);
    expect(run.state).toMatchObject({
      phase: "coordinating",
      attempt: 2,
      answers: [],
      votes: [],
      decision: null,
      finalAnswer: null,
      spent: { inputTokens: 7, costUsd: 0.5 },
      pastAttempt: { attempt: 1, winner: "ada", label: "agent1.1", finalAnswer: "presented", reason: "thin", instructions: "say more" },
    });
    for (const id of ["ada", "bob", "cyd"])
      expect(run.agent(id)).toMatchObject({
        standing: "streaming",
        round: 0,
        answers: 0,
        vote: null,
        seen: {},
        failure: null,
        restarts: 0,
      });
  });

  it("keeps out an agent whose vendor refused its key, and nobody else", () => {
    const run = table(["ada", "bob", "cyd"], { maxRestarts: 1 });
    run.answer("ada", "by ada");
    run.answer("bob", "by bob");
    run.fail("cyd");
    run.vote("ada", "agent1");
    run.vote("bob", "agent1");
    run.send({ type: "presented", agent: "ada", content: "presented" });
    evaluate(run, "restart");
    expect(run.agent("cyd")).toMatchObject({ standing: "error", failure: { kind: "backend_fatal" } });
    expect(run.agent("bob").standing).toBe("streaming");
  });

  it("starts all timers of the attempt anew, under names of their own", () => {
    const run = judging({ limits: { initialRoundMs: 1_000 } });
    const before = run.state.coordinatingSeq;
    evaluate(run, "restart");
    const timers = outstanding(run.state, run.policy).filter((effect) => effect.kind === "timer");
    expect(timers.map(({ id }) => id)).toEqual([
      "timer:soft:attempt2:0:ada",
      "timer:soft:attempt2:0:bob",
      "timer:orchestrator:attempt2:orchestrator",
    ]);
    for (const timer of timers) expect(timer.sinceSeq).toBeGreaterThan(before);
    run.timer("timer:orchestrator:orchestrator");
    expect(run.state.orchestratorTimeout).toBe(false);
  });

  it("EC58: with one restart there are exactly two attempts, labels begin again, and the second is not judged", () => {
    const run = judging();
    evaluate(run, "restart");
    decideFor(run);
    run.send({ type: "presented", agent: "ada", content: "better" });
    expect(run.of("answer_submitted").map((fact) => fact.label)).toEqual(["agent1.1", "agent2.1", "agent1.1", "agent2.1"]);
    expect(run.of("post_evaluation_started")).toHaveLength(1);
    expect(finished(run)).toMatchObject({ status: "completed" });
    expect(run.state).toMatchObject({ finalAnswer: "better", attempt: 2, earlierAttemptUsed: null });
  });

  it("EC59: when the last attempt fails completely, what the first had presented is the result, and the status says so", () => {
    const run = judging();
    evaluate(run, "restart");
    run.fail("ada", "backend_fatal", "half a text");
    run.fail("bob");
    expect(run.of("earlier_attempt_used")).toEqual([{ type: "earlier_attempt_used", attempt: 1, agent: "ada", label: "agent1.1" }]);
    expect(finished(run)).toMatchObject({ status: "partial", winner: "ada" });
    expect(finished(run)?.message).toContain("Attempt 2 ended without an answer");
    expect(run.state).toMatchObject({ finalAnswer: "presented", finalSnapshot: FILES, earlierAttemptUsed: 1 });
  });

  it("a time limit or a cancel before the second attempt has an answer falls back to the first as well", () => {
    const late = judging();
    evaluate(late, "restart");
    late.timer("timer:orchestrator:attempt2:orchestrator");
    expect(finished(late)).toMatchObject({ status: "partial", winner: "ada" });
    const cancelled = judging();
    evaluate(cancelled, "restart");
    cancelled.send({ type: "cancel_requested", reason: "enough", texts: {} });
    expect(finished(cancelled)).toMatchObject({ status: "cancelled", winner: "ada" });
    expect(cancelled.state.finalAnswer).toBe("presented");
  });

  it("EC62: is refused after a tool ran that cannot be undone; the answer is released with the reason", () => {
    const run = table(["ada", "bob"], { maxRestarts: 1 });
    decideFor(run);
    run.send({ type: "irreversible_tool_called", ...at(run), callId: "c1", name: "send" });
    run.send({ type: "presented", agent: "ada", content: "sent" });
    evaluate(run, "restart");
    expect(judged(run)).toMatchObject({ verdict: "submit", autoSubmitted: true, reason: "thin" });
    expect(judged(run)?.note).toContain("what send did in the presentation cannot be undone");
    expect(run.state).toMatchObject({ phase: "finished", attempt: 1, finalAnswer: "sent" });
  });

  it("claims about an evaluation that is over, or by somebody else, change nothing", () => {
    const run = judging();
    const claim = { type: "evaluated", verdict: "restart", reason: "r", instructions: "i" } as const;
    expect(run.send({ ...claim, agent: "bob", round: 3 })).toEqual([]);
    expect(run.send({ ...claim, agent: "ada", round: 2 })).toEqual([]);
    evaluate(run, "submit");
    expect(evaluate(run, "restart")).toEqual([]);
  });
});
