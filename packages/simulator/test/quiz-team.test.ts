import { describe, expect, it } from "vitest";
import { createQuizTeam, type SimulatedRequest } from "../src/index.js";

const prompt = (model: string, shown: readonly string[]): SimulatedRequest => ({
  api: "chat_completions",
  agent: model,
  index: 0,
  headers: {},
  body: {},
  inputTokens: 0,
  model,
  system: "",
  messages: [
    {
      role: "user",
      text: [
        "<original_message>\nWhat is 2 + 2?\n</original_message>",
        ...shown.map((text, at) => `<answer from="agent${at + 1}">\n${text}\n</answer>`),
        shown.length === 0
          ? "You may call `new_answer`."
          : `You may call \`new_answer\` or \`vote\` for ${shown.map((_, at) => `agent${at + 1}`).join(", ")}.`,
      ].join("\n\n"),
    },
  ],
  tools: ["new_answer", "vote"],
  toolSchemas: {},
  toolChoice: "auto",
  stream: true,
});

const team = createQuizTeam({
  models: ["a", "b"],
  reply: (question, member) => (question.trim() === "What is 2 + 2?" ? (member === 0 ? "4" : "5") : null),
  pace: { firstTokenMs: 0, tokensPerSecond: 0 },
});

describe("a team that takes a quiz", () => {
  it("gives each member's own answer, in words of its own, and says that it is simulated", async () => {
    const [first, second] = [await team(prompt("a", [])), await team(prompt("b", []))];
    expect(first).toMatchObject({
      kind: "message",
      toolCalls: [{ name: "new_answer", input: { content: expect.stringMatching(/imulated[\s\S]*Answer: 4$/) } }],
    });
    expect(second).toMatchObject({ toolCalls: [{ input: { content: expect.stringMatching(/imulated[\s\S]*Answer: 5$/) } }] });
  });

  it.each<[shown: readonly string[], target: string]>([
    [["x\n\nAnswer: 5", "y\n\nAnswer: 4", "z\n\nAnswer: 4"], "agent2"],
    [["x\n\nAnswer: 5", "y\n\nAnswer: 4"], "agent1"],
  ])("votes for what most have given: %j", async (shown, target) => {
    expect(await team(prompt("a", shown))).toMatchObject({ toolCalls: [{ name: "vote", input: { agent_id: target } }] });
  });
});
