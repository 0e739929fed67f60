import { describe, expect, it } from "vitest";
import { familyOf } from "../src/decision-warnings.js";
import { decisionReport, decisionText, ruleText, voteReport } from "../src/index.js";
import { cellWidth } from "./cell-width.js";
import { viewOf, viewsOf } from "./fold.js";
import { frozenRun, RUNS, type RunName, team } from "./frozen-runs.js";
import { sampleRun } from "./sample-run.js";

describe("decision.md", () => {
  it.each(["voidedVotes", "tie", "failures", "timeout", "single", "salvaged", "cancelledInPresentation"] as const)(
    "explains the run %s",
    async (name) => {
      await expect(decisionText(viewOf(frozenRun(name)), { cellWidth })).toMatchFileSnapshot(`golden/decision-${name}.md`);
    },
  );

  it("lines up with names in any script", async () => {
    await expect(decisionText(viewOf(team(5)), { cellWidth })).toMatchFileSnapshot("golden/decision-team-5.md");
  });

  it("does not exist before the decision", () => {
    for (const name of ["cancelled", "cancelledEarly", "nothing"] as const) expect(decisionText(viewOf(frozenRun(name)))).toBeNull();
  });

  it("is frozen: what happens after the decision does not change it", () => {
    for (const name of RUNS) {
      const texts = viewsOf(frozenRun(name)).flatMap((view) => decisionText(view) ?? []);
      expect(new Set(texts).size).toBeLessThanOrEqual(1);
    }
  });

  it("tells what people said to the agents until then, and to whom where it was not all", () => {
    const [start, ...rest] = frozenRun("tie");
    const said = (number: number, text: string, agents: readonly string[]) =>
      ({ ...start!, type: "input_received", number, id: null, text, agents }) as const;
    const team = start?.type === "run_started" ? start.agents.map(({ id }) => id) : [];
    const text = decisionText(viewOf([start!, said(1, "The server has\n512 MB.", team), said(2, "You too.", team.slice(0, 1)), ...rest]));
    expect(text).toContain("## Said while it ran\n\n- “The server has 512 MB.”\n- to agent1 (ada): “You too.”\n\n## Votes");
    expect(decisionText(viewOf([start!, ...rest, said(1, "Too late.", team)]))).not.toContain("Too late");
  });

  it("says on top that a run was simulated", () => {
    expect(decisionText(viewOf(frozenRun("tie")), { simulated: true })).toContain("simulated");
  });
});

describe("decision.json", () => {
  it("keeps every vote with the reason why it did not count", () => {
    const report = decisionReport(viewOf(frozenRun("voidedVotes")))!;
    expect(report.matrix.map(({ voter, label, counted, why_not }) => ({ voter, label, counted, why_not }))).toEqual([
      { voter: "ada", label: "agent2.1", counted: false, why_not: "the new answer agent3.2 voided it" },
      { voter: "bob", label: "agent1.1", counted: false, why_not: "cast before agent3.2 had been read" },
      { voter: "bob", label: "agent3.2", counted: true, why_not: null },
      { voter: "ada", label: "agent3.2", counted: true, why_not: null },
      { voter: "cleo", label: "agent2.1", counted: true, why_not: null },
    ]);
    expect(report.margin).toBe(1);
    expect(report.reasons_for_others).toEqual([{ voter: "cleo", label: "agent2.1", reason: "Mine leans on its point about crashes" }]);
  });

  it("counts what each candidate cost and got", () => {
    const { candidates } = decisionReport(viewOf(frozenRun("voidedVotes")))!;
    expect(
      candidates.map(({ label, tokens_spent, peer_votes, self_votes, superseded_by }) => ({
        label,
        tokens_spent,
        peer_votes,
        self_votes,
        superseded_by,
      })),
    ).toEqual([
      { label: "agent1.1", tokens_spent: 1850, peer_votes: 0, self_votes: 0, superseded_by: null },
      { label: "agent2.1", tokens_spent: 2020, peer_votes: 1, self_votes: 0, superseded_by: null },
      { label: "agent3.1", tokens_spent: 1915, peer_votes: 0, self_votes: 0, superseded_by: "agent3.2" },
      { label: "agent3.2", tokens_spent: 4110, peer_votes: 2, self_votes: 0, superseded_by: null },
    ]);
  });

  it("agrees with the tally the kernel decided by, in every run", () => {
    for (const records of [...RUNS.map(frozenRun), team(5)]) {
      const view = viewOf(records);
      const report = decisionReport(view);
      if (report === null) continue;
      const weights: Record<string, number> = {};
      for (const row of report.matrix) if (row.counted) weights[row.label!] = (weights[row.label!] ?? 0) + row.weight;
      expect(weights).toEqual(Object.fromEntries(report.tally.map(({ label, weight }) => [label, weight])));
    }
  });

  it("names the criterion that broke a tie, with its values", () => {
    const report = decisionReport(viewOf(frozenRun("tie")))!;
    expect(report).toMatchObject({ is_tie: true, tie_broken_by: "registration_order", consensus: "tie_broken", margin: 0 });
    expect(report.tie_break_trace.map((step) => step.criterion)).toEqual(["peer_votes", "registration_order"]);
  });
});

describe("what would have changed the outcome", () => {
  const decided = (votes: readonly number[]): string | null => {
    const ids = votes.map((_, place) => `a${place + 1}`);
    const run = sampleRun(ids);
    for (const id of ids) run.answer(id, `answer of ${id}`);
    for (const [place, target] of votes.entries()) run.vote(ids[place]!, `agent${target}`, "because");
    return decisionReport(viewOf(run.records))!.counterfactual;
  };
  it.each([
    [[1, 1, 2], "If one voter for agent1.1 had chosen agent2.1 instead, agent2.1 would have won."],
    [[1, 1, 1, 2], "If one voter for agent1.1 had chosen agent2.1 instead, it would have been a tie."],
    [[1, 1, 1, 1], "3 voters for agent1.1 would have had to choose another answer instead for another result."],
    [[1, 2], "One vote more for any other of the tied answers would have decided for it."],
  ])("votes %j", (votes, text) => expect(decided(votes)).toBe(text));
});

describe("the rule that decided, in one sentence", () => {
  it.each([
    ["voidedVotes", "agent3.2 had 2 of 3 possible votes, more than half."],
    ["failures", "The one live agent voted for agent3.1."],
    ["cancelledInPresentation", "Both live agents voted for agent2.1."],
    ["single", "There was one agent; its newest answer, agent1.1, is the result."],
    ["salvaged", "No vote counted, and agent2.1 was the only answer."],
  ] as const)("%s", (name, text) => expect(ruleText(viewOf(frozenRun(name)))).toBe(text));

  it("is null before the decision", () => expect(ruleText(viewOf(frozenRun("nothing")))).toBeNull());
});

describe("warnings", () => {
  const warnings = (name: RunName) => decisionReport(viewOf(frozenRun(name)))!.warnings;
  it("says when nobody was convinced by a peer", () => expect(warnings("tie")[0]).toContain("nobody was convinced"));
  it("says when a voter gave no reason", () => expect(warnings("tie")).toContain("agent2 (bob) gave no reason."));
  it("says when the answer was never submitted", () => expect(warnings("salvaged")[0]).toContain("never submitted"));
  it("says nothing about an ordinary majority", () => expect(warnings("voidedVotes")).toEqual([]));

  it("says when all votes come from one model family", () => {
    const run = sampleRun(["a", "b", "c", "d"]);
    // Agents 1 and 4 run on the same model; the two others fail.
    run.fail("b", "backend_fatal", "gone").fail("c", "backend_fatal", "gone");
    run.answer("a", "one").answer("d", "two").vote("a", "agent4", "good").vote("d", "agent1", "good");
    expect(decisionReport(viewOf(run.records))!.warnings).toContain(
      "All votes come from one model family (gpt): the same model tends to like its own way of writing.",
    );
  });

  it.each([
    ["gpt-5-mini", "gpt"],
    ["openai/GPT-5", "gpt"],
    ["claude-sonnet-4-5", "claude"],
    ["llama3.1:8b", "llama"],
    ["Qwen/Qwen3-8B", "qwen"],
    ["simulated-gpt-5", "gpt"],
    ["", ""],
  ])("%s is of the family %s", (model, family) => expect(familyOf(model)).toBe(family));
});

describe("vote.json", () => {
  it("has the votes that counted, by voter, target and label", async () => {
    await expect(JSON.stringify(voteReport(viewOf(frozenRun("voidedVotes"))), null, 2)).toMatchFileSnapshot("golden/vote-voidedVotes.json");
  });

  it("EC43: a single agent is selected without votes", () => {
    expect(voteReport(viewOf(frozenRun("single")))).toMatchObject({
      winner: "ada",
      winner_label: "agent1.1",
      selection: "single",
      consensus: "single",
      total_votes: 0,
    });
  });

  it("names who failed", () => {
    expect(voteReport(viewOf(frozenRun("failures"))).failed).toEqual(["ada", "bob"]);
  });

  it("names who abstained, also after the decision made everybody `completed`", () => {
    const run = sampleRun(["a", "b"], { policy: { maxAnswersPerAgent: 1 } });
    run.answer("a", "one").answer("b", "two").vote("a", "agent2", "good");
    for (let attempt = 0; attempt < 3; attempt++) run.answer("b", `three ${attempt}`);
    const report = voteReport(viewOf(run.records));
    expect(report.winner).toBe("b");
    expect(report.abstained).toEqual(["b"]);
  });

  it("EC34: is empty after an answer that voided the votes", () => {
    const views = viewsOf(frozenRun("voidedVotes"));
    const voided = views.find((view) => view.ballots.some((ballot) => ballot.fate.is === "voided"))!;
    expect(voteReport(voided)).toMatchObject({ votes: {}, vote_counts: {}, total_votes: 0, winner: null });
  });
});
