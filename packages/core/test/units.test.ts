import { createHash } from "node:crypto";
import type { CoordinationEvent, ToolCallPart } from "@massgen/contracts";
import { type AgentState, type Answer, initialState, type RunState } from "@massgen/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueAt } from "../src/coordinator/timers.js";
import { type AnswerOrder, orderAnswers } from "../src/round/answer-order.js";
import { answerText } from "../src/round/answer-text.js";
import { createConversation } from "../src/round/conversation.js";
import { fencedCall } from "../src/round/fenced-call.js";
import { readAction } from "../src/round/read-action.js";
import { chooseTools } from "../src/round/tool-choice.js";
import { readVerdict } from "../src/round/verdict.js";
import { canonicalText, fingerprintOf } from "../src/text/fingerprint.js";
import { sha256 } from "../src/text/sha256.js";

describe("fingerprints", () => {
  it("are SHA-256, for every text", () => {
    const expected = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
    for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1000])
      expect(sha256("a".repeat(length))).toBe(expected("a".repeat(length)));
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(expected(text));
      }),
    );
  });

  it.each([
    ["line ends and outer blanks", " a\r\nb \n", "a\nb"],
    ["composed characters", "e\u0301", "é"],
  ])("ignore %s", (_name, one, other) => {
    expect(fingerprintOf(one)).toBe(fingerprintOf(other));
  });

  it("EC29: ignore whose folder is named", () => {
    const paths = ["/runs/1/ada", "/runs/1/ada/deep", "/runs/1/bob"];
    expect(canonicalText("see /runs/1/ada/deep/x and /runs/1/bob/y", paths)).toBe("see /workspace/x and /workspace/y");
    expect(fingerprintOf("in /runs/1/ada/a.txt", paths)).toBe(fingerprintOf("in /runs/1/bob/a.txt", paths));
  });
});

describe("the text of an answer", () => {
  it.each([
    ["plain", "plain"],
    [undefined, ""],
    [null, ""],
    [{}, ""],
    [[], ""],
    [["a", "b"], "a\nb"],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "ab",
    ],
    [{ type: "text", text: "a" }, "a"],
    [{ text: "a" }, "a"],
    [{ plan: ["x"] }, '{\n  "plan": [\n    "x"\n  ]\n}'],
    [42, "42"],
    [false, "false"],
  ])("%j", (content, expected) => {
    expect(answerText(content)).toBe(expected);
  });
});

describe("calls written as text", () => {
  const json = '{"name": "vote", "arguments": {"agent_id": "agent1", "reason": "r"}}';
  it.each([
    ["a fence", `Well.\n\`\`\`json\n${json}\n\`\`\`\n`, "vote"],
    ["tildes", `~~~\n${json}\n~~~`, "vote"],
    ["the last of several", `\`\`\`json\n{"name":"new_answer","arguments":{"content":"x"}}\n\`\`\`\nor\n\`\`\`\n${json}\n\`\`\``, "vote"],
    ["a fence of other code after it", `\`\`\`json\n${json}\n\`\`\`\n\`\`\`js\nlet x = 1;\n\`\`\``, "vote"],
    ["no fence", json, null],
    ["another tool", '```json\n{"name": "rm", "arguments": {}}\n```', null],
    ["no arguments", '```json\n{"name": "vote"}\n```', null],
    ["broken JSON", '```json\n{"name": "vote", "arguments": {\n```', null],
  ])("%s", (_name, text, expected) => {
    expect(fencedCall(text)?.call.tool ?? null).toBe(expected);
  });

  it("leave the rest of the text as what was said besides", () => {
    expect(fencedCall(`Before.\n\`\`\`json\n${json}\n\`\`\`\nAfter.`)?.rest).toBe("Before.\n\nAfter.");
  });
});

describe("what a response claims", () => {
  const call = (tool: string, input: ToolCallPart["input"], inputError?: string): ToolCallPart => ({
    type: "tool_call",
    callId: "c",
    tool,
    input,
    ...(inputError === undefined ? {} : { inputError }),
  });
  const read = (workflow: readonly ToolCallPart[], text = "") =>
    readAction({ agent: "ada", round: 1, text, workflow, ordinary: [], unknown: [] }, (said) => said);

  it.each<[string, readonly ToolCallPart[], object]>([
    [
      "a vote without a reason",
      [call("vote", { agent_id: "agent1" })],
      { type: "vote_offered", target: "agent1", reason: "", confidence: null },
    ],
    ["a vote with a confidence", [call("vote", { agent_id: "agent1", reason: "r", confidence: 0.5 })], { confidence: 0.5 }],
    ["a vote for a number", [call("vote", { agent_id: 1, reason: ["x"] })], { target: "1", reason: '["x"]' }],
    ["a vote for nobody", [call("vote", {})], { type: "vote_offered", target: "" }],
    ["an answer, trimmed nowhere", [call("new_answer", { content: " a " })], { type: "answer_offered", content: " a ", snapshot: null }],
    ["a list for arguments", [call("new_answer", ["a"])], { type: "nothing_offered", code: "invalid_arguments", tool: "new_answer" }],
    [
      "one call of two unreadable",
      [call("vote", { agent_id: "agent1" }), call("new_answer", {}, "{")],
      { type: "nothing_offered", code: "invalid_arguments", tool: "new_answer" },
    ],
    [
      "two votes for one target in two spellings",
      [call("vote", { agent_id: "agent1" }), call("vote", { agent_id: "Agent_1.2", reason: "b" })],
      { type: "vote_offered", reason: "b" },
    ],
    [
      "votes for two nobodies",
      [call("vote", { agent_id: "x" }), call("vote", { agent_id: "y" })],
      { type: "several_offered", answer: null },
    ],
    [
      "answer and vote",
      [call("new_answer", { content: "a" }), call("vote", { agent_id: "agent1" })],
      { type: "several_offered", answer: { content: "a" }, votes: [{ target: "agent1" }] },
    ],
  ])("%s", (_name, calls, expected) => {
    expect(read(calls)).toMatchObject(expected);
  });

  it("nothing while ordinary tools are used", () => {
    expect(
      readAction({ agent: "a", round: 0, text: "", workflow: [], ordinary: [call("look", {})], unknown: [call("nope", {})] }, String),
    ).toBeNull();
  });
});

describe("a verdict", () => {
  const refused = {
    type: "vote_rejected",
    agent: "ada",
    round: 0,
    code: "invalid_vote_id",
    message: "m",
    attempt: 1,
    maxAttempts: 3,
  } as const;
  const injected = { type: "update_injected", agent: "ada", round: 0, labels: ["agent2.1"], tools: ["vote"] } as const;
  it.each<[string, readonly CoordinationEvent[], object]>([
    ["of a claim nobody wanted any more ends the conversation", [], { isOver: true }],
    ["of a refusal goes on", [refused], { isOver: false, refused }],
    [
      "of a refusal that was the last ends it",
      [refused, { type: "agent_abstained", agent: "ada", code: "answer_limit" }],
      { isOver: true },
    ],
    ["of a refusal with an update brings both", [refused, injected], { isOver: false, refused, injected: ["agent2.1"] }],
    ["takes no notice of facts about others", [{ ...refused, agent: "bob" }], { isOver: true, refused: null }],
    [
      "of a stale vote goes on",
      [{ type: "vote_ignored", agent: "ada", round: 0, target: "bob", reason: "", unseen: [] }, injected],
      { isOver: false, isStale: true },
    ],
    [
      "of a stale vote that began a new round ends it",
      [
        { type: "vote_ignored", agent: "ada", round: 0, target: "bob", reason: "", unseen: [] },
        { type: "round_started", agent: "ada", round: 1, kind: "evaluation", shown: [], tools: [] },
      ],
      { isOver: true },
    ],
  ])("%s", (_name, facts, expected) => {
    expect(readVerdict(facts, "ada")).toMatchObject(expected);
  });
});

describe("how far a response is bound", () => {
  const base = { attempts: 0, maxAttempts: 3, hardTimeout: false, callable: ["new_answer", "vote"], canForce: true } as const;
  it.each([
    ["the first attempt is free", base, "auto"],
    ["the second too, while there is a choice", { ...base, attempts: 1 }, "auto"],
    ["the second is bound to the only tool", { ...base, attempts: 1, callable: ["vote"] as const }, { tool: "vote" }],
    ["the last must call something", { ...base, attempts: 2 }, "required"],
    ["never more than the backend can", { ...base, attempts: 2, canForce: false }, "auto"],
    ["after the hard limit", { ...base, hardTimeout: true, callable: ["new_answer"] as const }, { tool: "new_answer" }],
    ["after the hard limit with a choice", { ...base, hardTimeout: true }, "auto"],
    ["one attempt only", { ...base, maxAttempts: 1 }, "auto"],
  ] as const)("%s", (_name, urgency, expected) => {
    expect(chooseTools(urgency)).toEqual(expected);
  });
});

describe("timers", () => {
  const timer = {
    kind: "timer",
    id: "timer:x",
    limit: "stragglers",
    agent: null,
    sinceSeq: 5,
    afterMs: 60_000,
    scaled: null,
    inputs: null,
  } as const;
  const timeOf = (seq: number): number => seq * 10_000;
  it("count from their record, as long as the longer of the two waits", () => {
    expect(dueAt(timer, timeOf)).toBe(110_000);
    expect(dueAt({ ...timer, scaled: { factor: 2, fromSeq: 1, toSeq: 5 } }, timeOf)).toBe(130_000);
    expect(dueAt({ ...timer, scaled: { factor: 1, fromSeq: 1, toSeq: 5 } }, timeOf)).toBe(110_000);
  });
});

describe("the order of answers", () => {
  const models = ["m1", "m1", "m2"];
  const agent = (index: number): AgentState =>
    ({ card: { id: `a${index}`, anon: `agent${index + 1}`, backend: "b", model: models[index]! }, round: 1 }) as AgentState;
  const answer = (label: `agent${number}.${number}`): Answer => ({
    label,
    by: `a${Number(label[5]) - 1}`,
    version: Number(label[7]),
    content: label,
    fingerprint: label,
    snapshot: null,
    verification: null,
    salvaged: false,
    seq: 1,
  });
  const state = (...labels: readonly `agent${number}.${number}`[]): RunState => ({
    ...initialState,
    order: ["a0", "a1", "a2"],
    agents: { a0: agent(0), a1: agent(1), a2: agent(2) },
    answers: labels.map(answer),
  });
  const order = (viewer: string, how: AnswerOrder, now: RunState): readonly string[] => {
    const newest = now.answers.filter((one, index) => !now.answers.slice(index + 1).some((later) => later.by === one.by));
    return orderAnswers(newest, viewer, how, now).map((one) => one.label);
  };
  const first = state("agent2.1", "agent1.1", "agent3.1");

  it("auto: oldest first, another start for each model, agents on one model alike", () => {
    expect(order("a0", "auto", first)).toEqual(["agent2.1", "agent1.1", "agent3.1"]);
    expect(order("a1", "auto", first)).toEqual(order("a0", "auto", first));
    expect(order("a2", "auto", first)).toEqual(["agent1.1", "agent3.1", "agent2.1"]);
  });

  it("auto: an improved answer moves to the end and leaves the others where they were", () => {
    const later = state("agent2.1", "agent1.1", "agent3.1", "agent1.2");
    expect(order("a0", "auto", later)).toEqual(["agent2.1", "agent3.1", "agent1.2"]);
    expect(order("a2", "auto", later)).toEqual(["agent3.1", "agent2.1", "agent1.2"]);
  });

  it("rotate: another start for each viewer, its own answer last", () => {
    expect(order("a0", "rotate", first)).toEqual(["agent2.1", "agent3.1", "agent1.1"]);
    expect(order("a1", "rotate", first)).toEqual(["agent3.1", "agent1.1", "agent2.1"]);
  });

  it("fixed: by configuration", () => {
    expect(order("a2", "fixed", first)).toEqual(["agent1.1", "agent2.1", "agent3.1"]);
  });
});

describe("a conversation", () => {
  it("is only ever appended to, without blanks and without two user messages in a row", () => {
    const talk = createConversation([{ role: "user", parts: [{ type: "text", text: "q" }] }]);
    const before = talk.messages();
    talk.addAssistant({ role: "assistant", parts: [{ type: "text", text: " \n" }] });
    talk.addAssistant({ role: "assistant", parts: [{ type: "reasoning", text: "hm" }] });
    talk.addUser("again");
    talk.addResults([]);
    expect(talk.messages()).toEqual([
      {
        role: "user",
        parts: [
          { type: "text", text: "q" },
          { type: "text", text: "\n\nagain" },
        ],
      },
    ]);
    expect(before).toHaveLength(1);
    expect(before[0]).toEqual({ role: "user", parts: [{ type: "text", text: "q" }] });
  });
});
