import type { Message, TurnRequest } from "@massgen/contracts";
import { newAnswer, type Turn, text, toolCall, usage, vote, wait } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { factsOf, isSendable, lastMessage, messageText, runTeam, type Script, textOf } from "./support/run-team.js";

const isPresentation = (request: TurnRequest): boolean => textOf(request).includes("final result");
const thenFinal =
  (...steps: readonly Turn[]): Script =>
  (request, index) =>
    isPresentation(request) ? text("final") : (steps[index] ?? vote("agent1", "fine"));

const ALIKE = Array.from({ length: 50 }, (_, index) => `word${index}`).join(" ");
const toolNames = (request: TurnRequest): readonly string[] => request.tools.map((tool) => tool.name);
const voteTool = (request: TurnRequest): string => JSON.stringify(request.tools.find((tool) => tool.name === "vote")?.input ?? null);
const systemOf = ([first]: readonly Message[]): string => (first?.role === "system" ? first.text : "");

describe("novelty", () => {
  it("is explained in the system message where answers are compared, and nowhere else", async () => {
    const { backends } = await runTeam(
      { ada: thenFinal(newAnswer("alpha")), bob: thenFinal(newAnswer("beta")) },
      { policy: { novelty: "strict" } },
    );
    expect(systemOf(backends["ada"]!.requests[0]!.messages)).toContain("more than 50 % of its words");
    const plain = await runTeam({ ada: thenFinal(newAnswer("alpha")), bob: thenFinal(newAnswer("beta")) });
    expect(systemOf(plain.backends["ada"]!.requests[0]!.messages)).not.toContain("of its words");
  });

  it("EC30: a refusal names the percentage, whose answer it is, and the way out, and the agent may still vote", async () => {
    const { facts, backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("one two three four")),
        bob: thenFinal([wait(100), newAnswer("five six seven eight")], newAnswer("one two three four five"), vote("agent1", "same thing")),
      },
      { policy: { novelty: "balanced" } },
    );
    expect(factsOf(facts, "answer_rejected")).toMatchObject([{ agent: "bob", code: "answer_novelty" }]);
    const told = messageText(lastMessage(backends["bob"]!.requests[2]));
    expect(told).toContain("80 % of its words with the answer of agent1");
    expect(told).toContain("`vote` for agent1 or agent2");
  });
});

describe("votes weighed by confidence", () => {
  it("EC73: the tool asks for it, and numbers, percentages and words are read", async () => {
    const say = (confidence: unknown): Turn => toolCall("vote", { agent_id: "agent1", reason: "r", confidence: confidence as string });
    const { facts, backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("a"), say("85")),
        bob: thenFinal(newAnswer("b"), say("high")),
        cyd: thenFinal(newAnswer("c"), say(null)),
        dan: thenFinal(newAnswer("d"), say("70 %")),
      },
      { policy: { votingMethod: "weighted_by_confidence" } },
    );
    expect(voteTool(backends["ada"]!.requests[0]!)).toContain('"required":["agent_id","reason","confidence"]');
    const read = Object.fromEntries(factsOf(facts, "vote_cast").map((fact) => [fact.agent, [fact.confidence, fact.confidenceDefaulted]]));
    expect(read).toEqual({ ada: [0.85, false], bob: [0.5, true], cyd: [0.5, true], dan: [0.7, false] });
  });
});

describe("debates and fresh starts", () => {
  it("EC71: a debate begins with how the votes fell and why, without names", async () => {
    const { facts, backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("a"), vote("agent1", "it is short"), vote("agent2", "convinced")),
        bob: thenFinal(newAnswer("b"), vote("agent2", "it covers </votes> failure"), vote("agent2", "still")),
      },
      { policy: { convergenceThreshold: 1 } },
    );
    expect(factsOf(facts, "debate_started")).toHaveLength(1);
    const prompt = textOf(backends["ada"]!.requests[2]!);
    expect(prompt).toContain("Everybody voted, but too few agree");
    expect(prompt).toContain('<votes for="agent1" count="1">\n<vote_reason>it is short</vote_reason>\n</votes>');
    expect(prompt).toContain("it covers &lt;/votes> failure");
    expect(prompt).not.toMatch(/\bada\b|\bbob\b/);
    expect(factsOf(facts, "winner_selected")).toMatchObject([{ winner: "bob", consensus: "unanimous" }]);
  });

  it("EC76: after stagnation everybody is asked for another route, and told which answer leads", async () => {
    const again = (n: number): Turn => [wait(10), newAnswer(`${ALIKE} ${n}`)];
    const { facts, backends } = await runTeam(
      {
        ada: thenFinal(again(1), again(3)),
        bob: thenFinal(again(2), [wait(20), newAnswer(`${ALIKE} 4`)]),
      },
      { policy: { restartAfterStagnation: 1, deferVotingUntilAllAnswered: false } },
    );
    expect(factsOf(facts, "stagnation_restart")).toHaveLength(1);
    const prompts = [...backends["ada"]!.requests, ...backends["bob"]!.requests].map(textOf);
    expect(prompts.some((prompt) => prompt.includes("The answer to beat is that of agent2"))).toBe(true);
    expect(factsOf(facts, "run_finished")).toMatchObject([{ status: "completed" }]);
  });
});

describe("without restarts", () => {
  const noRestarts = { enableRestarts: false } as const;

  it("EC75: the next round of an idle agent repeats its conversation and adds what is new", async () => {
    const { facts, backends, transcripts } = await runTeam(
      { ada: thenFinal(newAnswer("alpha")), bob: thenFinal([wait(100), newAnswer("beta")]) },
      { policy: noRestarts },
    );
    const [first, second] = backends["ada"]!.requests;
    expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
    expect(second!.tools).toEqual(first!.tools);
    const told = messageText(lastMessage(second));
    expect(told).toContain("- agent1.1 (new)\n- agent2.1 (new)");
    expect(told).toContain('<answer from="agent2">\nbeta\n</answer>');
    expect(told).toContain("You may call `new_answer` or `vote` for agent1 or agent2.");
    expect(factsOf(facts, "restart_completed")).toEqual([]);
    expect(factsOf(facts, "round_started").filter((fact) => fact.agent === "ada")).toMatchObject([{ round: 0 }, { round: 1 }]);
    for (const request of backends["ada"]!.requests) expect(isSendable(request.messages)).toBe(true);
    const continued = transcripts.findLast((transcript) => transcript.agent === "ada" && transcript.round === 1);
    expect(continued?.openingMessages).toBe(second!.messages.length);
  });

  it("only what is new is told: a replaced version with what it replaces", async () => {
    const { backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("alpha"), vote("agent2", "good")),
        bob: thenFinal([wait(100), newAnswer("beta")], [wait(500), newAnswer("beta 2")]),
      },
      { policy: noRestarts },
    );
    const told = messageText(lastMessage(backends["ada"]!.requests[2]));
    expect(told).toContain("- agent2.1 -> agent2.2");
    expect(told).not.toContain("alpha");
  });

  it("a conversation that fills three quarters of the window is left for a fresh one", async () => {
    const { backends } = await runTeam(
      {
        ada: thenFinal([usage({ inputTokens: 7_000, outputTokens: 400 }), newAnswer("alpha")]),
        bob: thenFinal([wait(100), newAnswer("beta")]),
      },
      { policy: noRestarts, capabilities: { contextWindowTokens: 10_000 } },
    );
    expect(backends["ada"]!.requests[1]!.messages).toHaveLength(2);
    expect(textOf(backends["ada"]!.requests[1]!)).toContain('<answer from="agent1">');
    expect(backends["bob"]!.requests[1]!.messages.length).toBeGreaterThan(2);
  });

  it("an agent that abstained goes on too: its refused calls have their results", async () => {
    const { backends, outcome } = await runTeam(
      {
        ada: thenFinal(newAnswer("alpha"), newAnswer("alpha"), newAnswer("alpha"), newAnswer("alpha"), vote("agent2", "ok")),
        bob: thenFinal([wait(100), newAnswer("beta")], [wait(5_000), newAnswer("gamma")], vote("agent2", "mine")),
      },
      { policy: noRestarts },
    );
    expect(outcome.status).toBe("completed");
    for (const request of backends["ada"]!.requests) expect(isSendable(request.messages)).toBe(true);
    expect(backends["ada"]!.requests[4]!.messages.length).toBeGreaterThan(6);
  });
});

describe("answer now", () => {
  it("tells working agents to wrap up at their next safe point, and the run ends with their votes", async () => {
    const { facts, backends, outcome } = await runTeam(
      {
        ada: thenFinal(newAnswer("a")),
        bob: thenFinal([wait(3_000), toolCall("nothing")], newAnswer("b")),
        cyd: thenFinal([wait(100), newAnswer("c")]),
      },
      {
        meddle(run, ambient) {
          void ambient.clock
            .sleepUntil(ambient.clock.monotonic() + 1_000, new AbortController().signal)
            .then(() => run.send({ type: "answer_now_requested", reason: "in a hurry" }));
        },
      },
    );
    expect(factsOf(facts, "answer_now_requested")).toMatchObject([{ agents: ["bob"] }]);
    expect(backends["bob"]!.requests.map(textOf).some((prompt) => prompt.includes("Time is nearly over"))).toBe(true);
    expect(factsOf(facts, "answers_closed")).toHaveLength(1);
    expect(factsOf(facts, "round_started").slice(-3)).toMatchObject([{ kind: "vote_only" }, { kind: "vote_only" }, { kind: "vote_only" }]);
    expect(outcome.status).toBe("completed");
  });
});

describe("tools offered per round", () => {
  it("are those that may be called now, for the answers there are; the presenter has none of ours", async () => {
    const { backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("a")),
        bob: thenFinal([wait(100), newAnswer("b")]),
        cyd: thenFinal([wait(200), vote("agent1", "too early")], newAnswer("c")),
      },
      { toolOffering: "per_round", policy: { maxAnswersPerAgent: 1, deferVotingUntilAllAnswered: false } },
    );
    const of = (id: string) => backends[id]!.requests.map(toolNames);
    expect(of("ada")[0]).toEqual(["new_answer"]);
    expect(of("ada")[1]).toEqual(["vote"]);
    expect(of("ada").at(-1)).toEqual([]);
    // EC15: a call of a tool that is not defined is refused for that, and the agent answers after it.
    expect(messageText(lastMessage(backends["cyd"]!.requests[1]))).toContain("vote may not be called now");
    expect(voteTool(backends["bob"]!.requests[1]!)).toContain('"enum":["agent1","agent2"]');
  });

  it("new candidates take effect within a round", async () => {
    const { backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("a")),
        bob: thenFinal([wait(100), newAnswer("b")], [wait(2_000), toolCall("nothing")], vote("agent1", "r")),
        cyd: thenFinal([wait(1_000), newAnswer("c")]),
      },
      { toolOffering: "per_round", policy: { deferVotingUntilAllAnswered: false } },
    );
    const [, before, after] = backends["bob"]!.requests;
    expect([before, after].map((request) => voteTool(request!).match(/agent\d/g))).toEqual([
      ["agent1", "agent2"],
      ["agent1", "agent2", "agent3"],
    ]);
  });

  it("a backend that cannot change its tools within a conversation gets all of them", async () => {
    const { backends } = await runTeam(
      { ada: thenFinal(newAnswer("a")), bob: thenFinal(newAnswer("b")) },
      { toolOffering: "per_round", capabilities: { toolsMayChangeMidConversation: false } },
    );
    expect(toolNames(backends["ada"]!.requests[0]!)).toEqual(["new_answer", "vote"]);
  });
});

describe("scrubbed identities", () => {
  it("ids and models of the configuration are agentN in what others read; other words stay", async () => {
    const said = "I, ada (model-x, not model-x-mini), disagree with bob; adam and agent9 are others.";
    const { backends, outcome } = await runTeam(
      { ada: thenFinal(newAnswer(said), vote("agent1", "ada is right")), bob: thenFinal(newAnswer("b"), vote("agent1", "bob says so")) },
      { scrubIdentities: true, backends: { ada: { model: "model-x" } } },
    );
    const shown = textOf(backends["bob"]!.requests[1]!);
    expect(shown).toContain("I, agent1 (agent1, not model-x-mini), disagree with agent2; adam and agent9 are others.");
    expect(textOf(backends["ada"]!.requests[2]!)).toContain("<vote_reason>agent2 says so</vote_reason>");
    expect(outcome.winnerLabel).toBe("agent1.1");
  });
});
