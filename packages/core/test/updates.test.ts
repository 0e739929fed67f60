import type { TurnRequest } from "@massgen/contracts";
import { newAnswer, type Turn, text, toolCall, vote, wait } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { factsOf, isSendable, lastMessage, messageText, runTeam, type Script, textOf } from "./support/run-team.js";
import { after, tool } from "./support/tool.js";

/** The clock in a tool: a response that calls it takes its time between call and result. */
const look = tool("look", (input, context) => after(Number(input["ms"]), "looked", context));

const isPresentation = (request: TurnRequest): boolean => textOf(request).includes("final result");
const eager = { deferVotingUntilAllAnswered: false } as const;
const thenFinal =
  (...steps: readonly Turn[]): Script =>
  (request, index) =>
    isPresentation(request) ? text("final") : (steps[index] ?? vote("agent1", "fine"));

describe("peers' answers in a running round", () => {
  it("EC36: a vote that comes after a newer answer is not counted, costs nothing, and the agent votes again with the update", async () => {
    const { facts, backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("ada 1"), [wait(1_000), newAnswer("ada 2")]),
        bob: thenFinal(newAnswer("bob 1"), [wait(5_000), vote("agent1", "I read version 1")], vote("agent1", "version 2 is better still")),
      },
      { policy: eager },
    );
    expect(factsOf(facts, "vote_ignored")).toMatchObject([{ agent: "bob", unseen: ["agent1.2"] }]);
    expect(factsOf(facts, "enforcement_retry", "vote_rejected")).toEqual([]);
    expect(factsOf(facts, "vote_cast").filter((fact) => fact.agent === "bob")).toMatchObject([{ targetLabel: "agent1.2" }]);
    const told = lastMessage(backends["bob"]!.requests[2]);
    expect(told).toMatchObject({ role: "tool", results: [{ output: { isError: false } }] });
    expect(messageText(told)).toContain("Your vote was not counted");
    expect(messageText(told)).toContain("- agent1.1 -> agent1.2");
    expect(messageText(told)).toContain('<answer from="agent1">\nada 2\n</answer>');
  });

  it("EC37: an agent on its first answer is left in peace", async () => {
    const { facts, backends } = await runTeam(
      { ada: thenFinal(newAnswer("ada 1")), bob: thenFinal([toolCall("look", { ms: 5_000 })], newAnswer("bob 1")) },
      { agents: { bob: { tools: [look] } } },
    );
    expect(factsOf(facts, "update_injected")).toEqual([]);
    expect(textOf(backends["bob"]!.requests[1]!)).not.toContain("ada 1");
    expect(factsOf(facts, "answer_submitted").map((fact) => fact.label)).toEqual(["agent1.1", "agent2.1"]);
  });

  it("EC38: two of three answers are delivered into one round, the third begins a new one", async () => {
    const improving = (name: string, afterMs: number): Script => thenFinal(newAnswer(`${name} 1`), [wait(afterMs), newAnswer(`${name} 2`)]);
    const { facts } = await runTeam(
      {
        bob: thenFinal(
          newAnswer("bob 1"),
          [toolCall("look", { ms: 2_000 })],
          [toolCall("look", { ms: 2_000 })],
          [toolCall("look", { ms: 2_000 })],
          vote("agent1", "fine"),
        ),
        ada: improving("ada", 1_000),
        cyd: improving("cyd", 3_000),
        dan: improving("dan", 5_000),
      },
      { agents: { bob: { tools: [look] } }, policy: { maxInjectionsPerRound: 2 } },
    );
    const injected = factsOf(facts, "update_injected").filter((fact) => fact.agent === "bob" && fact.round === 1);
    expect(injected.flatMap((fact) => fact.labels)).toEqual(["agent2.2", "agent3.2"]);
    const ignored = factsOf(facts, "vote_ignored").find((fact) => fact.agent === "bob");
    expect(ignored).toMatchObject({ round: 1, unseen: ["agent4.2"] });
    expect(
      factsOf(facts, "round_started")
        .filter((fact) => fact.agent === "bob")
        .at(-1),
    ).toMatchObject({ round: 2, shown: ["agent1.1", "agent2.2", "agent3.2", "agent4.2"] });
  });

  it.each([
    [60_000, true],
    [50_000, false],
  ])("a round with a soft limit of %i ms and a grace of 50 s is told of news after 5 s: %s", async (subsequentRoundMs, isTold) => {
    const { facts } = await runTeam(
      {
        ada: thenFinal(newAnswer("ada 1"), [wait(1_000), newAnswer("ada 2")]),
        bob: thenFinal(newAnswer("bob 1"), [toolCall("look", { ms: 5_000 })], [toolCall("look", { ms: 1_000 })], vote("agent1", "fine")),
      },
      { agents: { bob: { tools: [look] } }, policy: { ...eager, limits: { subsequentRoundMs, roundGraceMs: 50_000 } } },
    );
    const votes = factsOf(facts, "vote_ignored").filter(({ agent }) => agent === "bob");
    // Who is not told in between learns of it with its vote.
    expect(votes).toHaveLength(isTold ? 0 : 1);
  });

  it("EC39: an update that arrives while a tool runs is delivered after its result, in one message", async () => {
    const { backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("ada 1"), [wait(1_000), newAnswer("ada 2")]),
        bob: thenFinal(newAnswer("bob 1"), [toolCall("look", { ms: 5_000 })], vote("agent1", "fine")),
      },
      { agents: { bob: { tools: [look] } }, policy: eager },
    );
    const { messages } = backends["bob"]!.requests[2]!;
    expect(messages.slice(-3).map((message) => message.role)).toEqual(["assistant", "tool", "user"]);
    expect(isSendable(messages)).toBe(true);
    expect(messageText(messages.at(-2)!)).toBe("looked");
    expect(messageText(messages.at(-1)!)).toContain("ada 2");
    expect(messageText(messages.at(-1)!)).not.toContain("bob 1");
  });

  it("EC40: with updates held for the next round, nothing is ever injected", async () => {
    const { facts, outcome } = await runTeam(
      {
        ada: thenFinal(newAnswer("ada 1"), [wait(1_000), newAnswer("ada 2")]),
        bob: thenFinal(newAnswer("bob 1"), [toolCall("look", { ms: 5_000 })], vote("agent1", "fine")),
      },
      { agents: { bob: { tools: [look] } }, policy: { ...eager, peerUpdates: "next_round" } },
    );
    expect(factsOf(facts, "update_injected")).toEqual([]);
    expect(factsOf(facts, "vote_ignored")).toHaveLength(1);
    expect(outcome.status).toBe("completed");
  });
});

describe("time limits of a round", () => {
  it("asks once to wrap up, at the next safe point, with the seconds that are left", async () => {
    const { facts, backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("ada 1")),
        bob: thenFinal([toolCall("look", { ms: 20_000 })], [toolCall("look", { ms: 1_000 })], newAnswer("bob 1")),
      },
      { agents: { bob: { tools: [look] } }, policy: { limits: { initialRoundMs: 10_000, roundGraceMs: 30_000 } } },
    );
    expect(factsOf(facts, "soft_timeout", "wrap_up_delivered").map((fact) => fact.type)).toEqual(["soft_timeout", "wrap_up_delivered"]);
    const notices = backends["bob"]!.requests.map((request) => textOf(request).split("Time is nearly over: about 30 seconds").length - 1);
    expect(notices.slice(0, 3)).toEqual([0, 1, 1]);
  });

  it("refuses every other tool after the hard limit, and after ten refusals takes the text as the answer", async () => {
    const runs: number[] = [];
    const counted = tool("look", (input, context) => {
      runs.push(1);
      return after(Number(input["ms"]), "looked", context);
    });
    const stubborn: Script = (request, index) =>
      isPresentation(request)
        ? text("final")
        : textOf(request).includes("<current_answers>")
          ? vote("agent1", "fine")
          : [text(`draft ${index}`), toolCall("look", { ms: 20_000 })];
    const { facts, backends } = await runTeam(
      { ada: thenFinal(newAnswer("ada 1")), bob: stubborn },
      { agents: { bob: { tools: [counted] } }, policy: { limits: { initialRoundMs: 10_000, roundGraceMs: 30_000 } } },
    );
    expect(factsOf(facts, "hard_timeout")).toMatchObject([{ agent: "bob", round: 0 }]);
    const refusals = backends["bob"]!.requests.filter((request) =>
      messageText(lastMessage(request)).startsWith("Refused: the time of this round is over"),
    );
    expect(refusals).toHaveLength(9);
    expect(runs.length).toBeLessThan(5);
    expect(factsOf(facts, "answer_submitted").find((fact) => fact.agent === "bob")?.content).toMatch(/^draft \d+$/);
  });
});
