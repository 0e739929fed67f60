import { brokenCall, newAnswer, text, toolCall, vote } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { factsOf, isSendable, lastMessage, messageText, runTeam, type Script } from "./support/run-team.js";
import { said, tool } from "./support/tool.js";

/** A peer that answers at once and votes for itself whatever happens. */
const peer: Script = (request) =>
  messageText(lastMessage(request)).includes("final result")
    ? text("final")
    : request.messages.length === 2 && !seesAnswers(request)
      ? newAnswer("peer's answer")
      : vote("agent1", "mine is good");
const seesAnswers = (request: { readonly messages: readonly unknown[] }): boolean =>
  JSON.stringify(request.messages).includes("<current_answers>");

const save = (log: string[]) =>
  tool(
    "save",
    (input) => {
      log.push(JSON.stringify(input));
      return said("saved");
    },
    { risk: "write" },
  );

describe("votes that cannot count", () => {
  it("EC15: a vote although no answer was shown is refused and the agent is told to answer", async () => {
    const { facts, backends } = await runTeam({ ada: peer, bob: [vote("agent1", "first"), newAnswer("bob's"), vote("agent1", "good")] });
    expect(factsOf(facts, "vote_rejected")[0]).toMatchObject({ agent: "bob", code: "tool_unavailable", attempt: 1 });
    const told = lastMessage(backends["bob"]!.requests[1]);
    expect(told).toMatchObject({ role: "tool", results: [{ output: { isError: true } }] });
    expect(messageText(told)).toContain("You may call `new_answer`. `vote` may not be called now.");
  });

  it.each(["agent99", "agent2.7x", "ada", "nobody"])(
    "EC10, EC12: a vote for %s is answered with the ids there are, in the same conversation",
    async (target) => {
      const { facts, backends } = await runTeam({ ada: peer, bob: [newAnswer("bob's"), vote(target, "?"), vote("agent1", "good")] });
      expect(factsOf(facts, "vote_rejected")).toMatchObject([{ agent: "bob", code: "invalid_vote_id" }]);
      const told = messageText(lastMessage(backends["bob"]!.requests[2]));
      expect(told).toContain("`vote` for agent1 or agent2");
      expect(factsOf(facts, "vote_cast").find((fact) => fact.agent === "bob")).toMatchObject({ target: "ada" });
    },
  );

  it("EC16 T6.10: a vote for an agent without an answer is refused", async () => {
    const policy = { deferVotingUntilAllAnswered: false, stragglerPatience: 0 };
    const { facts } = await runTeam(
      {
        ada: peer,
        bob: [newAnswer("bob's"), vote("agent3", "?"), vote("agent1", "good")],
        cyd: (_request, index) => (index === 0 ? [{ is: "wait", ms: 60_000 }, newAnswer("late")] : vote("agent1", "good")),
      },
      { policy },
    );
    expect(factsOf(facts, "vote_rejected")).toMatchObject([{ agent: "bob", code: "invalid_vote_id" }]);
  });

  it("EC14: a target may be written as a person would", async () => {
    for (const target of ["Agent 1", "<agent1>", "agent1.1", "agent_1"]) {
      const { facts } = await runTeam({ ada: peer, bob: [newAnswer("bob's"), vote(target, "good")] });
      expect(factsOf(facts, "vote_cast").find((fact) => fact.agent === "bob")).toMatchObject({ target: "ada", targetLabel: "agent1.1" });
    }
  });
});

describe("several calls in one response", () => {
  it("EC17: a vote and an answer at once are both refused, with a result for each", async () => {
    const { facts, backends, outcome } = await runTeam({
      ada: peer,
      bob: [newAnswer("bob's"), [vote("agent1", "x"), newAnswer("other")], vote("agent1", "good")],
    });
    expect(factsOf(facts, "enforcement_retry")).toMatchObject([{ code: "vote_and_answer", attempt: 1 }]);
    const told = lastMessage(backends["bob"]!.requests[2]);
    expect(told).toMatchObject({ role: "tool", results: [{ output: { isError: true } }, { output: { isError: true } }] });
    expect(messageText(told)).toContain("do one of the two");
    expect(messageText(told)).toContain("refused as a whole, see the other result");
    expect(factsOf(facts, "answer_submitted")).toHaveLength(2);
    expect(outcome.status).toBe("completed");
  });

  it("EC18: at the third time the answer of such a response counts", async () => {
    const both = [vote("agent1", "x"), newAnswer("bob's second")];
    const { facts } = await runTeam({ ada: peer, bob: [newAnswer("bob's"), both, both, both, vote("agent1", "good")] });
    expect(factsOf(facts, "enforcement_retry")).toHaveLength(2);
    expect(factsOf(facts, "answer_submitted").map((fact) => fact.content)).toContain("bob's second");
  });

  it("EC19: two votes for one target are one vote with the last reason", async () => {
    const { facts } = await runTeam({ ada: peer, bob: [newAnswer("bob's"), [vote("agent1", "first"), vote("Agent 1", "second")]] });
    expect(factsOf(facts, "vote_cast").filter((fact) => fact.agent === "bob")).toMatchObject([{ reason: "second" }]);
  });

  it("votes for different targets are refused", async () => {
    const { facts } = await runTeam({
      ada: peer,
      bob: [newAnswer("bob's"), [vote("agent1", "a"), vote("agent2", "b")], vote("agent2", "b")],
    });
    expect(factsOf(facts, "enforcement_retry")).toMatchObject([{ code: "multiple_votes" }]);
  });

  it("EC20: of three answers the last counts, and one label is used up", async () => {
    const { facts } = await runTeam({ ada: peer, bob: [[newAnswer("one"), newAnswer("two"), newAnswer("three")], vote("agent1", "good")] });
    expect(factsOf(facts, "answer_submitted").filter((fact) => fact.agent === "bob")).toMatchObject([
      { label: "agent2.1", content: "three" },
    ]);
  });

  it("EC21: an ordinary call of the same response is done before the answer is offered", async () => {
    const log: string[] = [];
    const { facts } = await runTeam(
      { ada: peer, bob: [[newAnswer("bob's"), toolCall("save", { path: "a.txt" })], vote("agent1", "good")] },
      { agents: { bob: { tools: [save(log)] } } },
    );
    expect(log).toEqual(['{"path":"a.txt"}']);
    const order = facts
      .filter((fact) => (fact.type === "tool_complete" || fact.type === "answer_submitted") && fact.agent === "bob")
      .map((fact) => fact.type);
    expect(order).toEqual(["tool_complete", "answer_submitted"]);
  });
});

describe("responses without an action", () => {
  it("EC22: text twice, then a call: accepted, with two reminders that offer to submit the text", async () => {
    const { facts, backends } = await runTeam({
      ada: peer,
      bob: [text("I think LRU."), text("LRU, really."), newAnswer("LRU"), vote("agent1", "good")],
    });
    expect(factsOf(facts, "enforcement_retry")).toMatchObject([
      { code: "no_tool_calls", attempt: 1 },
      { code: "no_tool_calls", attempt: 2 },
    ]);
    const told = lastMessage(backends["bob"]!.requests[1]);
    expect(told.role).toBe("user");
    expect(messageText(told)).toContain("call `new_answer` with it as `content`");
    expect(messageText(lastMessage(backends["bob"]!.requests[2]))).toContain("last attempt");
  });

  it("EC23: text three times fails the agent; its earlier answer stays a candidate", async () => {
    const { facts, outcome } = await runTeam({
      ada: (request, index) =>
        index === 0
          ? newAnswer("ada's")
          : JSON.stringify(request.messages).includes("final result")
            ? text("final")
            : vote("agent2", "better"),
      bob: [newAnswer("bob's"), text("hm"), text("hm"), text("hm"), text("final of bob")],
    });
    expect(factsOf(facts, "agent_failed")).toMatchObject([{ agent: "bob", kind: "protocol", fatal: true }]);
    expect(outcome).toMatchObject({ winner: "bob", status: "completed" });
  });

  it("EC24: an empty answer beside no text is refused and uses no label", async () => {
    const { facts } = await runTeam({ ada: peer, bob: [newAnswer("  "), newAnswer("bob's"), vote("agent1", "good")] });
    expect(factsOf(facts, "answer_rejected")).toMatchObject([{ code: "empty_answer" }]);
    expect(factsOf(facts, "answer_submitted").filter((fact) => fact.agent === "bob")).toMatchObject([{ label: "agent2.1" }]);
  });

  it("EC25: text beside an answer without content becomes the answer", async () => {
    const { facts } = await runTeam({ ada: peer, bob: [[text("Use LRU, because …"), toolCall("new_answer", {})], vote("agent1", "good")] });
    expect(factsOf(facts, "answer_submitted").find((fact) => fact.agent === "bob")).toMatchObject({ content: "Use LRU, because …" });
  });

  it("EC26: unreadable arguments are refused, quoted, and nothing of them counts", async () => {
    const { facts, backends } = await runTeam({
      ada: peer,
      bob: [brokenCall("new_answer", '{"content": "half'), newAnswer("bob's"), vote("agent1", "good")],
    });
    expect(factsOf(facts, "answer_rejected")).toMatchObject([{ code: "invalid_arguments" }]);
    expect(messageText(lastMessage(backends["bob"]!.requests[1]))).toContain('{"content": "half');
  });

  it("EC27: content that is no string becomes text", async () => {
    const { facts } = await runTeam({ ada: peer, bob: [toolCall("new_answer", { content: { policy: "LRU" } }), vote("agent1", "good")] });
    expect(factsOf(facts, "answer_submitted").find((fact) => fact.agent === "bob")?.content).toBe('{\n  "policy": "LRU"\n}');
  });

  it("EC28: insisting three times on the same answer is an abstention, and the run completes", async () => {
    const again = newAnswer(" bob's\r\n");
    const { facts, outcome } = await runTeam({ ada: peer, bob: [newAnswer("bob's"), again, again, again] });
    expect(factsOf(facts, "answer_rejected").map((fact) => fact.code)).toEqual([
      "answer_duplicate",
      "answer_duplicate",
      "answer_duplicate",
    ]);
    expect(factsOf(facts, "agent_abstained")).toMatchObject([{ agent: "bob", code: "answer_duplicate" }]);
    expect(outcome.status).toBe("completed");
  });

  it("unknown tools only: each gets an error with the name that was meant, and an attempt is used", async () => {
    const { facts, backends } = await runTeam({
      ada: peer,
      bob: [toolCall("new_anwser", { content: "x" }), newAnswer("bob's"), vote("agent1", "good")],
    });
    expect(factsOf(facts, "enforcement_retry")).toMatchObject([{ code: "unknown_tool" }]);
    expect(messageText(lastMessage(backends["bob"]!.requests[1]))).toContain("Did you mean new_answer?");
  });

  it("a model without tool calls may write its call down in a fence", async () => {
    const fenced = text('I am done.\n```json\n{"name": "new_answer", "arguments": {"content": "LRU"}}\n```\n');
    const { facts } = await runTeam({ ada: peer, bob: [fenced, vote("agent1", "good")] });
    expect(factsOf(facts, "answer_submitted").find((fact) => fact.agent === "bob")).toMatchObject({ content: "LRU" });
  });
});

describe("caps", () => {
  it("EC32: after its one answer an agent may only vote; insisting three times is an abstention", async () => {
    const { facts, backends, outcome } = await runTeam(
      { ada: peer, bob: [newAnswer("bob's"), newAnswer("b2"), newAnswer("b3"), newAnswer("b4")] },
      { policy: { maxAnswersPerAgent: 1 } },
    );
    expect(factsOf(facts, "answer_rejected").map((fact) => fact.code)).toEqual([
      "tool_unavailable",
      "tool_unavailable",
      "tool_unavailable",
    ]);
    expect(factsOf(facts, "agent_abstained")).toMatchObject([{ agent: "bob" }]);
    expect(messageText(backends["bob"]!.requests[1]!.messages[1]!)).toContain("`new_answer` may not be called now");
    expect(backends["bob"]!.requests.map((request) => request.toolChoice)).toEqual(["auto", "auto", { tool: "vote" }, { tool: "vote" }]);
    expect(outcome.status).toBe("completed");
  });

  it("EC33: an answer refused by the global cap comes back with the answers there are, and the agent votes", async () => {
    const late: Script = [[{ is: "wait", ms: 5_000 }, newAnswer("cyd's")], vote("agent2", "fine")];
    const { facts, backends } = await runTeam(
      { ada: peer, bob: [newAnswer("bob's"), vote("agent1", "good")], cyd: late },
      { policy: { maxAnswersGlobal: 2 } },
    );
    expect(factsOf(facts, "answer_rejected")).toMatchObject([{ agent: "cyd", code: "answer_limit" }]);
    const told = messageText(lastMessage(backends["cyd"]!.requests[1]));
    expect(told).toContain('<answer from="agent1">');
    expect(told).toContain('<answer from="agent2">');
    expect(told).toContain("You may call `vote` for agent1 or agent2. `new_answer` may not be called now.");
    expect(factsOf(facts, "vote_cast").find((fact) => fact.agent === "cyd")).toMatchObject({ target: "bob" });
  });
});

it("keeps every history fit to be sent, with the same bytes of tools in every request", async () => {
  const log: string[] = [];
  const { backends, transcripts } = await runTeam(
    {
      ada: peer,
      bob: [
        [toolCall("save", {}), toolCall("nope", {}), vote("agent1", "too early")],
        text(""),
        [newAnswer("bob's"), toolCall("save", {})],
        [toolCall("save", {}), brokenCall("save", "{oops")],
        [vote("agent1", "a"), newAnswer("b"), toolCall("save", {})],
        vote("agent1", "good"),
      ],
    },
    { agents: { bob: { tools: [save(log)] } } },
  );
  const requests = Object.values(backends).flatMap((backend) => backend.requests);
  for (const { messages } of requests) expect(isSendable(messages), JSON.stringify(messages, null, 1)).toBe(true);
  expect(new Set(backends["bob"]!.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  expect(new Set(requests.map(({ tools }) => JSON.stringify(tools.slice(0, 2)))).size).toBe(1);
  expect(transcripts.length).toBeGreaterThan(6);
});

it("an answer beyond 200 000 characters is taken, and people are told", async () => {
  const long = "x".repeat(200_001);
  const { facts, deltas } = await runTeam({ ada: [newAnswer(long), vote("agent1", "good"), text("final")] }, { mode: "refine" });
  expect(factsOf(facts, "answer_submitted")[0]?.content).toBe(long);
  expect(deltas.filter((delta) => delta.type === "notice")).toMatchObject([
    { agent: "ada", message: expect.stringContaining("200001 characters") },
  ]);
});
