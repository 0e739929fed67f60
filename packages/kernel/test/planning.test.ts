import { isReserved, outstanding } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { table } from "./play.js";

const planning = (mode: "voting" | "single" = "voting") =>
  table(mode === "single" ? ["ada"] : ["ada", "bob"], { planningMode: true }, mode);
type Run = ReturnType<typeof table>;
const say = (run: Run, irreversible: boolean, blockedTools: readonly string[] = [], agent = "ada") =>
  run.send({ type: "analysed", agent, irreversible, blockedTools, failure: null });
const decided = (run: Run) => run.of("planning_decided")[0];

describe("planning mode", () => {
  it("asks the first agent before anybody starts, for at most a minute", () => {
    const run = planning();
    expect(run.state.phase).toBe("preparing");
    expect(outstanding(run.state, run.policy)).toMatchObject([
      { kind: "analyse", agent: "ada" },
      { kind: "timer", limit: "planning", afterMs: 60_000, sinceSeq: run.state.seq },
    ]);
    say(run, true, ["send"]);
    expect(run.state.phase).toBe("coordinating");
    expect(run.agent("bob").standing).toBe("streaming");
    expect(isReserved(run.state, "send")).toBe(true);
    expect(isReserved(run.state, "search")).toBe(false);
  });

  it("an empty list reserves everything, and a harmless task nothing", () => {
    const all = planning();
    say(all, true);
    expect(isReserved(all.state, "search")).toBe(true);
    const none = planning();
    say(none, false);
    expect(isReserved(none.state, "search")).toBe(false);
  });

  it("a backend that does not work passes the question on; when none does, or time runs out, the worst is assumed", () => {
    const run = planning();
    const since = run.state.planning?.seq;
    run.send({ type: "analysis_failed", agent: "ada", message: "401" });
    expect(outstanding(run.state, run.policy)).toMatchObject([
      { kind: "analyse", agent: "bob" },
      { limit: "planning", sinceSeq: since },
    ]);
    expect(say(run, false)).toEqual([]);
    run.send({ type: "analysis_failed", agent: "bob", message: "503" });
    expect(decided(run)).toEqual({ type: "planning_decided", agent: null, irreversible: true, blockedTools: [], failure: "503" });
    expect(run.state.phase).toBe("coordinating");
    const late = planning();
    late.timer("timer:planning:planning");
    expect(decided(late)).toMatchObject({ agent: null, irreversible: true });
    expect(late.state.phase).toBe("coordinating");
  });

  it("a run that lost its power before the verdict asks again, and the plan holds in every attempt", () => {
    const run = table(["ada", "bob"], { planningMode: true, maxRestarts: 1 });
    run.send({ type: "resume", lastSeq: run.state.seq });
    expect(outstanding(run.state, run.policy)[0]).toMatchObject({ kind: "analyse", agent: "ada" });
    say(run, true, ["send"]);
    run.answer("ada", "a");
    run.answer("bob", "b");
    run.vote("ada", "agent1");
    run.vote("bob", "agent1");
    run.send({ type: "presented", agent: "ada", content: "done" });
    run.send({ type: "evaluated", agent: "ada", round: run.agent("ada").round, verdict: "restart", reason: "thin", instructions: "" });
    expect(run.state.attempt).toBe(2);
    expect(isReserved(run.state, "send")).toBe(true);
    expect(run.of("planning_analysis_started")).toHaveLength(1);
  });

  it("a single agent presents when it only planned, and not otherwise", () => {
    const run = planning("single");
    say(run, true);
    run.answer("ada", "the plan");
    expect(run.state.phase).toBe("presenting");
    run.send({ type: "presented", agent: "ada", content: "done" });
    expect(run.state).toMatchObject({ phase: "finished", finalAnswer: "done" });
    const direct = planning("single");
    say(direct, false);
    direct.answer("ada", "the answer");
    expect(direct.state).toMatchObject({ phase: "finished", finalAnswer: "the answer" });
  });

  it("can be cancelled before the verdict", () => {
    const run = planning();
    run.send({ type: "cancel_requested", reason: "enough", texts: {} });
    expect(run.of("run_finished")).toMatchObject([{ status: "cancelled", winner: null }]);
  });
});
