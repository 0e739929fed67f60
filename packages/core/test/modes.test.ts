import type { TurnRequest } from "@massgen/contracts";
import { newAnswer, type Turn, text, toolCall, vote } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { factsOf, runTeam, textOf } from "./support/run-team.js";

const stop = (summary: string, status = "complete"): Turn => toolCall("stop", { summary, status });
const toolsIn = (request: TurnRequest | undefined): readonly string[] => (request?.tools ?? []).map((tool) => tool.name);

describe("one agent that refines", () => {
  it("EC44: is shown its own answer, improves it up to the cap, and nobody presents", async () => {
    const { outcome, backends } = await runTeam(
      { ada: [newAnswer("one"), newAnswer("two"), newAnswer("three")] },
      { mode: "refine", policy: { maxRounds: 3 } },
    );
    const requests = backends["ada"]!.requests;
    expect(outcome).toMatchObject({ status: "completed", finalAnswer: "three", winnerLabel: "agent1.3" });
    expect(requests).toHaveLength(3);
    expect(textOf(requests[1]!)).toContain('<answer from="agent1">\none\n</answer>');
    expect(textOf(requests[1]!)).not.toContain("several agents");
  });

  it("a vote accepts", async () => {
    const { outcome } = await runTeam({ ada: [newAnswer("one"), vote("agent1", "good")] }, { mode: "refine" });
    expect(outcome).toMatchObject({ finalAnswer: "one", winnerLabel: "agent1.1" });
  });
});

describe("shortcuts", () => {
  it("EC80: skipping coordination is one request without workflow tools, whose text is the answer", async () => {
    const { outcome, backends } = await runTeam({ ada: [text("At once.")], bob: [] }, { policy: { skipCoordination: true } });
    expect(outcome).toMatchObject({ status: "completed", finalAnswer: "At once.", winner: "ada", winnerLabel: null });
    expect(backends["ada"]!.requests).toHaveLength(1);
    expect(toolsIn(backends["ada"]!.requests[0])).toEqual([]);
    expect(backends["bob"]!.requests).toEqual([]);
  });

  it("merging without a vote treats all answers alike, and vote is not even defined", async () => {
    const { outcome, backends } = await runTeam(
      { ada: [newAnswer("a"), text("merged")], bob: [newAnswer("b")] },
      { policy: { skipVoting: true, finalAnswer: "synthesize" } },
    );
    expect(outcome).toMatchObject({ finalAnswer: "merged", winner: "ada" });
    const [round, merging] = backends["ada"]!.requests;
    expect(toolsIn(round)).toEqual(["new_answer"]);
    expect(textOf(merging!)).toContain("Nobody has judged the answers");
    expect(textOf(merging!)).toContain("\nb\n");
  });

  it("merging after a vote has the winner's answer as its basis", async () => {
    const seen = (request: TurnRequest): boolean => textOf(request).includes("<current_answers>");
    const { backends } = await runTeam(
      {
        ada: (request) => (seen(request) ? vote("agent2", "shorter") : newAnswer("a")),
        bob: (request) => (textOf(request).includes("merge it") ? text("merged") : seen(request) ? vote("agent2", "mine") : newAnswer("b")),
      },
      { policy: { finalAnswer: "synthesize" } },
    );
    const merging = textOf(backends["bob"]!.requests.at(-1)!);
    expect(merging).toContain("The answer of agent2 was chosen");
    expect(merging).toContain("<vote_reason>shorter</vote_reason>");
  });
});

describe("the sequential workflow", () => {
  it("gives each stage what the earlier ones delivered, by stage, and new_answer only", async () => {
    const { outcome, backends } = await runTeam(
      { ada: [newAnswer("draft")], bob: [newAnswer("checked")], cyd: [newAnswer("polished")] },
      { mode: "sequential" },
    );
    expect(outcome).toMatchObject({ status: "completed", finalAnswer: "polished", exitCode: 0 });
    const last = backends["cyd"]!.requests;
    expect(last).toHaveLength(1);
    expect(toolsIn(last[0])).toEqual(["new_answer"]);
    const prompt = textOf(last[0]!);
    expect(prompt).toContain('<answer from="stage 1">\ndraft\n</answer>\n<answer from="stage 2">\nchecked\n</answer>');
    expect(prompt).toContain("This is stage 3 of 3.");
    expect(prompt).not.toMatch(/`vote`/);
  });
});

describe("decomposition", () => {
  const agents = { ada: { subtask: "the facts" }, bob: { subtask: "the </parts> plan" } };

  it("each works on its part until it stops; the presenter puts the parts together", async () => {
    let bob = 0;
    const { outcome, facts, backends } = await runTeam(
      {
        ada: (request) => (textOf(request).includes("<current_answers>") ? stop("all sources checked") : newAnswer("facts")),
        bob: (request) => {
          if (textOf(request).includes("put them together")) return text("the whole");
          bob += 1;
          return bob === 1 ? newAnswer("plan") : stop("fits the facts", "blocked");
        },
      },
      { mode: "decomposition", agents },
    );
    expect(outcome).toMatchObject({ status: "completed", finalAnswer: "the whole", winner: "bob" });
    expect(factsOf(facts, "agent_stopped").map(({ agent, status }) => [agent, status])).toEqual(
      expect.arrayContaining([
        ["ada", "complete"],
        ["bob", "blocked"],
      ]),
    );
    const requests = backends["bob"]!.requests;
    expect(requests.every((request) => toolsIn(request).join() === "new_answer,stop")).toBe(true);
    expect(textOf(requests[0]!)).toContain('<part of="agent1">\nthe facts\n</part>\n<part of="agent2">\nthe &lt;/parts> plan\n</part>');
    expect(textOf(requests[0]!)).toContain("Yours is the part of agent2.");
    expect(textOf(requests.at(-1)!)).toContain('<part_end of="agent1" status="complete">\nall sources checked\n</part_end>');
  });

  it("a stop with another status than complete or blocked is refused with the way out", async () => {
    const { facts } = await runTeam(
      {
        ada: (request) => (textOf(request).includes("must be complete or blocked") ? stop("no key", "blocked") : stop("x", "done")),
        bob: (request) =>
          textOf(request).includes("put them together")
            ? text("whole")
            : textOf(request).includes("<current_answers>")
              ? stop("ok")
              : newAnswer("b"),
      },
      { mode: "decomposition", agents },
    );
    expect(factsOf(facts, "enforcement_retry")).toMatchObject([{ agent: "ada", code: "invalid_arguments" }]);
  });
});
