import type { Recorded } from "@massgen/contracts";
import { evolve, initialState } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import {
  describeRecord,
  emptyRunView,
  foldRecord,
  itemsOf,
  metricsEvents,
  type RunView,
  roundsOf,
  statusReport,
  voteReport,
} from "../src/index.js";
import { statusContext, viewOf, viewsOf } from "./fold.js";
import { frozenRun, RUNS, team } from "./frozen-runs.js";
import { sampleRun } from "./sample-run.js";

describe("the view of a run", () => {
  it("knows the rules only from the kernel", () => {
    for (const records of RUNS.map(frozenRun)) {
      expect(viewOf(records).state).toEqual(records.reduce((state, record) => evolve(state, record), initialState));
    }
  });

  it("is a pure fold: older views stay as they were", () => {
    const records = frozenRun("voidedVotes");
    const views = viewsOf(records);
    const shown = (view: RunView) => ({
      status: statusReport(view, statusContext),
      metrics: metricsEvents(view, { now: 0, sessionId: "" }),
      votes: voteReport(view),
    });
    for (const [place, view] of views.entries()) expect(shown(view)).toEqual(shown(viewOf(records.slice(0, place + 1))));
  });

  it("counts iterations and epochs as the files show them", () => {
    const { answers, ballots, iteration } = viewOf(frozenRun("voidedVotes"));
    expect(answers.map(({ label, iteration, round, epoch }) => [label, iteration, round, epoch])).toEqual([
      ["agent1.1", 0, 0, 1],
      ["agent2.1", 1, 0, 2],
      ["agent3.1", 2, 0, 3],
      ["agent3.2", 4, 1, 4],
    ]);
    expect(ballots.map((ballot) => [ballot.voter, ballot.epoch, ballot.fate.is])).toEqual([
      ["ada", 3, "voided"],
      ["bob", 4, "ignored"],
      ["bob", 4, "standing"],
      ["ada", 4, "standing"],
      ["cleo", 4, "standing"],
    ]);
    expect(iteration).toBe(8);
  });

  it("tells how each round ended", () => {
    const view = viewOf(frozenRun("voidedVotes"));
    const outcomes = Object.fromEntries([...view.agents].map(([id, agent]) => [id, roundsOf(agent).map((round) => round.outcome)]));
    expect(outcomes).toEqual({
      ada: ["answer", "vote", "vote"],
      bob: ["answer", "vote"],
      cleo: ["answer", "answer", "vote", "presentation"],
    });
  });

  it("withdraws the vote of an agent that fails afterwards", () => {
    const run = sampleRun(["a", "b"]).answer("a", "one").answer("b", "two").vote("a", "agent2", "good");
    const withdrawn: Recorded = {
      seq: 99,
      at: 1,
      runId: "r",
      decision: 50,
      closes: true,
      type: "agent_failed",
      agent: "a",
      kind: "internal",
      message: "x",
      fatal: true,
      lastText: "",
    };
    expect(viewOf([...run.records, withdrawn]).ballots.map((ballot) => ballot.fate.is)).toEqual(["withdrawn"]);
  });

  it("EC13: swapped ids are kept apart from the names agents see", () => {
    const view = viewOf(
      sampleRun(["agent2", "agent1"]).answer("agent2", "one").answer("agent1", "two").vote("agent1", "agent1", "good").records,
    );
    expect(view.ballots[0]).toMatchObject({ voter: "agent1", target: "agent2", targetLabel: "agent1.1" });
  });

  it("reads past facts of newer versions", () => {
    const records = frozenRun("tie");
    const newer = { ...records[3]!, type: "moon_phase_changed", agent: "ada", to: "full" } as unknown as Recorded;
    const mixed = [...records.slice(0, 4), newer, ...records.slice(4)];
    expect(viewOf(mixed).decision?.fact.winner).toBe("ada");
    expect(describeRecord(newer, viewOf(mixed))).toBeNull();
  });

  it("collects what happened without copying it for every record", () => {
    const base = { runId: "r", at: 1, decision: 1, closes: true, agent: "ada", round: 0, durationMs: 1, inputChars: 1, outputChars: 1 };
    const tool = (seq: number): Recorded => ({
      ...base,
      seq,
      type: "tool_complete",
      callId: `${seq}`,
      name: "read",
      ok: true,
      resultPreview: "",
    });
    const before = viewOf([...sampleRun(["ada"]).records, tool(99)]);
    const after = Array.from({ length: 1_000 }, (_, place) => tool(100 + place)).reduce(foldRecord, before);
    expect(after.activity.tools.shared).toBe(before.activity.tools.shared);
    expect([itemsOf(before.activity.tools).length, itemsOf(after.activity.tools).length]).toEqual([1, 1_001]);
  });

  it("starts empty", () => expect(viewOf([])).toBe(emptyRunView));
});

describe("sentences", () => {
  it("tell the run voidedVotes", async () => {
    const records = frozenRun("voidedVotes");
    const views = viewsOf(records);
    const lines = records.flatMap((record, place) => describeRecord(record, views[place]!) ?? []);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/sentences-voidedVotes.txt");
  });

  it("are one line each, in every run", () => {
    for (const records of [...RUNS.map(frozenRun), team(10)]) {
      const views = viewsOf(records);
      for (const [place, record] of records.entries()) expect(describeRecord(record, views[place]!) ?? "").not.toMatch(/[\n\r]/);
    }
  });

  it("name the voter, the label and the reason", () => {
    const run = sampleRun(["agent_a", "agent_b"])
      .answer("agent_a", "one")
      .answer("agent_b", "two")
      .vote("agent_b", "agent2", "Covers invalidation");
    const view = viewOf(run.records);
    expect(describeRecord(run.records.findLast((record) => record.type === "vote_cast")!, view)).toBe(
      "agent_b voted for agent2.1 (its own): Covers invalidation",
    );
  });
});
