import type { Policy } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { decisionReport, decisionText, ruleText, voteReport, whatIfTexts } from "../src/index.js";
import { viewOf } from "./fold.js";
import { sampleRun } from "./sample-run.js";

/** Everybody answers, and then each votes for the agent of that number, with a confidence or without. */
function decided(votes: readonly (number | readonly [target: number, confidence: number])[], policy: Partial<Policy> = {}) {
  const ids = votes.map((_, place) => `a${place + 1}`);
  const run = sampleRun(ids, { policy });
  for (const id of ids) run.answer(id, `answer of ${id}`);
  const vote = (given: readonly (typeof votes)[number][]): void => {
    for (const [place, choice] of given.entries()) {
      if (run.state.phase !== "coordinating") return;
      const [target, confidence] = typeof choice === "number" ? [choice, undefined] : choice;
      run.vote(ids[place]!, `agent${target}`, "because", confidence);
    }
  };
  vote(votes);
  return { run, vote, view: () => viewOf(run.records) };
}

describe("what the result would have been without a vote", () => {
  it.each([
    ["one vote does not matter", [1, 1, 1], ["Without any one of the votes the result would have been the same."]],
    [
      "two votes against one are level without either of them",
      [2, 3, 2],
      ["Without any one of the votes of agent1 (a1) and agent3 (a3), agent2.1 and agent3.1 would have been level."],
    ],
    [
      "a winner by its own vote",
      [1, 1, 2, 2, 1],
      [
        "Without the vote of agent1 (a1) for its own answer, agent1.1 and agent2.1 would have been level.",
        "Without any one of the votes of agent2 (a2) and agent5 (a5), agent1.1 and agent2.1 would have been level.",
      ],
    ],
    [
      "two self-votes: the tie hangs on the first, and without both there is no vote",
      [1, 2],
      [
        "Without the vote of agent1 (a1) for its own answer, agent2.1 would have won.",
        "Without all votes for one's own answer, no vote is left, and the newest answer, agent2.1, would have won.",
      ],
    ],
    [
      "the own votes of two agents decide together, and each alone does not",
      [1, 2, 1, 1, 2, 2, 1],
      [
        "Without the vote of agent1 (a1) for its own answer, agent1.1 and agent2.1 would have been level.",
        "Without any one of the votes of agent3 (a3), agent4 (a4) and agent7 (a7), agent1.1 and agent2.1 would have been level.",
      ],
    ],
  ] as const)("%s", (_name, votes, texts) => expect(whatIfTexts(decided(votes).view())).toEqual(texts));

  it("weights are added up, not heads", () => {
    const { view } = decided(
      [
        [1, 0.9],
        [2, 0.4],
        [2, 0.4],
      ],
      { votingMethod: "weighted_by_confidence" },
    );
    expect(whatIfTexts(view())).toEqual([
      "Without the vote of agent1 (a1) for its own answer, agent2.1 would have won.",
      "Without all votes for one's own answer, agent2.1 would have won.",
    ]);
    expect(decisionReport(view())?.what_if).toEqual([
      { without: "a1", self_vote: true, outcome: "other", labels: ["agent2.1"] },
      { without: "a2", self_vote: true, outcome: "same", labels: ["agent1.1"] },
      { without: "a3", self_vote: false, outcome: "same", labels: ["agent1.1"] },
      { without: null, self_vote: true, outcome: "other", labels: ["agent2.1"] },
    ]);
  });

  it("a tie that stays the same tie is no change, whoever broke it", () => {
    const { view } = decided([1, 2, 3, 3, 1]);
    expect(decisionReport(view())?.what_if.find(({ without }) => without === "a2")).toMatchObject({ outcome: "same" });
  });

  it("says nothing where votes did not decide", () => {
    const run = sampleRun(["a", "b"]);
    run.answer("a", "one").fail("b", "backend_fatal", "gone");
    for (let attempt = 0; attempt < 3; attempt++)
      run.say({
        type: "answer_offered",
        agent: "a",
        round: run.state.agents["a"]!.round,
        content: "one",
        fingerprint: "one",
        snapshot: null,
      });
    expect(decisionReport(viewOf(run.records))).toMatchObject({ selection: "latest_answer", what_if: [] });
  });
});

describe("the rule that decided", () => {
  it("EC08: two agents that vote for each other, and nothing else happens: the decision says by which rule it fell", () => {
    const { view } = decided([2, 1]);
    const text = decisionText(view())!;
    expect(text).toContain(
      "agent1.1 and agent2.1 had 1 vote each; agent1.1 of agent1 (a1) won the tie by the earlier place in the configuration.",
    );
    expect(text).toContain("## Tie-break");
    expect(text).toContain("Without the vote of agent2 (a2), agent2.1 would have won.");
  });

  it("EC72: names the weight where votes do not count the same", () => {
    const { view } = decided(
      [
        [1, 0.9],
        [2, 0.4],
        [2, 0.4],
      ],
      { votingMethod: "weighted_by_confidence" },
    );
    expect(ruleText(view())).toBe("agent1.1 had the most weight: 0.9 of 1.7 cast, by 1 of 3 agents entitled to vote.");
    const text = decisionText(view())!;
    expect(text).toContain("It was a weight of 0.1 ahead of agent2.1.");
    expect(text).toContain("**0.8**");
  });

  it("EC70: says that the team converged, and on how much", () => {
    const { view } = decided([2, 2, 2], { convergenceThreshold: 0.6 });
    expect(ruleText(view())).toMatch(/^67 % of the team stood behind one answer, and 60 % were asked for\. /);
    expect(decisionReport(view())).toMatchObject({ converged: true, thresholds: { convergence_threshold: 0.6 }, debates: 0 });
    expect(voteReport(view()).consensus_reached).toBe(true);
  });

  it("EC71: says that it did not, after how many debates; the votes before a debate did not count", () => {
    const { view, vote } = decided([1, 2, 3], { convergenceThreshold: 0.6, maxRounds: 2 });
    vote([1, 2, 3]);
    expect(ruleText(view())).toMatch(
      /^Only 33 % of the team stood behind one answer after 1 debate, where 60 % were asked for\. agent1\.1, agent2\.1 and agent3\.1 had 1 vote each/,
    );
    const report = decisionReport(view())!;
    expect(report).toMatchObject({ converged: false, debates: 1, share: 1 / 3 });
    expect(report.matrix.map(({ counted, why_not }) => [counted, why_not])).toEqual([
      ...Array.from({ length: 3 }, () => [false, "a debate cleared all votes"]),
      ...Array.from({ length: 3 }, () => [true, null]),
    ]);
    expect(report.limits_hit).toMatchObject([{ limit: "debate", value: 1 }]);
  });

  it("names who gave no confidence, and leaves the stand-in out of the mean", () => {
    const { view } = decided([[2, 0.9], 2], { votingMethod: "weighted_by_confidence" });
    const report = decisionReport(view())!;
    expect(report.warnings).toContain("agent2 (a2) gave no confidence that could be read; it counts as 0.5.");
    expect(report.candidates.find(({ label }) => label === "agent2.1")?.mean_confidence).toBe(0.9);
    expect(report.matrix.map((row) => row.confidence_defaulted)).toEqual([false, true]);
  });
});
