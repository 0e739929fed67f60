import { describe, expect, it } from "vitest";
import { createSimulatedTeam, DEMO_QUESTION, demoTeam, type Pace } from "../src/index.js";
import { ask, functionTool, user } from "./chat-client.js";
import { openSimulators } from "./open-simulators.js";
import { playByHand } from "./play-by-hand.js";
import { roundBody, workflowTools } from "./team-prompts.js";

const start = openSimulators();
const models = demoTeam().map((agent) => agent.model);
const atOnce: Pace = { firstTokenMs: 0, tokensPerSecond: 0 };
const words = (text: string): number => text.split(/\s+/).length;

describe("the demo", () => {
  it("shows everything a run can show: three answers, votes, an answer that voids them, a dissent, a majority", async () => {
    const simulator = await start({ respond: createSimulatedTeam(), timeScale: 0.2 });
    const { course, answers, reasons, final } = await playByHand(simulator, models, DEMO_QUESTION);
    expect(course.slice(0, 3).sort()).toEqual(["agent1 answers", "agent2 answers", "agent3 answers"]);
    expect(course.slice(3, 5).sort()).toEqual(["agent1 votes for agent2", "agent3 votes for agent1"]);
    expect(course.slice(5, 7)).toEqual(["agent2 answers", "votes voided"]);
    expect(course.slice(7).sort()).toEqual(["agent1 votes for agent2", "agent2 votes for agent2", "agent3 votes for agent1"]);
    // Three to four seconds in life; timers are late by up to a millisecond a packet, which the scale makes five.
    const seconds = (simulator.requests.at(-1)!.lastByteAtMs! - simulator.requests[0]!.arrivedAtMs) / 0.2 / 1000;
    expect(seconds).toBeGreaterThan(2.4);
    expect(seconds).toBeLessThan(15);
    expect(new Set(reasons).size).toBe(3);
    for (const { text } of answers) expect(words(text)).toBeGreaterThanOrEqual(120);
    for (const { text } of answers) expect(words(text)).toBeLessThanOrEqual(200);
    expect(answers.map((answer) => answer.text)).not.toContain(final);
    expect(words(final)).toBeGreaterThan(200);
    expect(simulator.requests.flatMap((entry) => entry.violations)).toEqual([]);
  });

  it("goes the same way at any pace, and names no agent or model in what others read", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ pace: atOnce }) });
    const { course, answers, reasons, final } = await playByHand(simulator, models, DEMO_QUESTION);
    expect(course.filter((line) => line.endsWith("answers"))).toHaveLength(4);
    for (const text of [...answers.map((answer) => answer.text), final]) expect(text.toLowerCase()).toContain("(simulated");
    const read = [...answers.map((answer) => answer.text), ...reasons].join("\n");
    expect(read).not.toMatch(/atlas|birch|cedar|simulated-/i);
  });
});

describe("a question of one's own", () => {
  const question = "Which bicycle for 30 km of gravel a day?\nUnder 1500 euro.";

  it.each([1, 2, 3, 5])("has the shape of a real run with %i agents, and says that nothing is real", async (size) => {
    const team = Array.from({ length: size }, (_, index) => `model-${index}`);
    const simulator = await start({ respond: createSimulatedTeam({ models: team }), timeScale: 0.05 });
    const { course, answers, reasons, final } = await playByHand(simulator, team, question);
    expect(course.filter((line) => line.endsWith("answers"))).toHaveLength(size + 1);
    expect(course.filter((line) => line === "votes voided")).toHaveLength(size > 1 ? 1 : 0);
    const last = course.slice(-size);
    expect(last.filter((line) => line.endsWith(`votes for agent${size > 1 ? 2 : 1}`))).toHaveLength(size > 2 ? size - 1 : size);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(size);
    for (const { text } of answers) {
      expect(text).toMatch(/^Simulated answer/);
      expect(text).toContain("no model was asked");
      expect(text).toContain("> Which bicycle for 30 km of gravel a day?\n> Under 1500 euro.");
    }
    for (const reason of reasons) expect(reason).toMatch(/^Simulated/);
    expect([...answers.map((answer) => answer.text), ...reasons].join("\n")).not.toMatch(/model-\d/);
    expect(final).toContain(`This is a simulated final answer from MassGen's stand-in for model-${size > 1 ? 1 : 0}; no model was asked.`);
  });

  it("is answered outside a team as plain text, without the date beside it", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ pace: atOnce }) });
    const answer = await ask(simulator, { model: "gpt", messages: [user("Why?\n\n(Date and time: 2026-01-02 03:04 UTC.)")] });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toMatch(/^This is a simulated answer from MassGen's stand-in for gpt; no model was asked/);
    expect(answer.text).toContain("> Why?\n\n");
    expect(answer.text).not.toContain("2026");
  });

  it("is answered differently by two agents on one model", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ models: ["same"], pace: atOnce }) });
    const [one, two] = [await ask(simulator, roundBody("same", question, [])), await ask(simulator, roundBody("same", question, []))];
    expect(one.calls[0]!.input).not.toEqual(two.calls[0]!.input);
  });

  it("is quoted only in part when it is long", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ pace: atOnce }) });
    const { calls } = await ask(simulator, roundBody("gpt", "\u{1F600}".repeat(5000), []));
    const { content } = calls[0]!.input as { content: string };
    expect(content.length).toBeLessThan(2000);
    expect(content).toContain("\u{1F600} …");
  });
});

describe("a stand-in", () => {
  const shown = [
    { from: "agent1", text: "First." },
    { from: "agent3", text: "Third." },
  ];

  it("votes when its better answer was not accepted", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ models: ["a", "b", "c"], pace: atOnce }) });
    const body = roundBody("b", "Why?", shown);
    const { calls } = await ask(simulator, body);
    expect(calls[0]!.name).toBe("new_answer");
    const refused = [
      ...body.messages!,
      {
        role: "assistant" as const,
        content: null,
        tool_calls: [{ id: "c1", type: "function" as const, function: { name: "new_answer", arguments: JSON.stringify(calls[0]!.input) } }],
      },
      {
        role: "tool" as const,
        tool_call_id: "c1",
        content: "Not accepted: it is too much like the answer of agent1. You may call `new_answer` or `vote` for agent1 or agent3.",
      },
    ];
    const again = await ask(simulator, { ...body, messages: refused });
    expect(again.calls.map((call) => call.name)).toEqual(["vote"]);
    expect(["agent1", "agent3"]).toContain((again.calls[0]!.input as { agent_id: string }).agent_id);
  });

  it("does what a forced tool choice forces", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ models: ["a", "b", "c"], pace: atOnce }) });
    const force = (name: string): object => ({ tool_choice: { type: "function", function: { name } } });
    expect((await ask(simulator, { ...roundBody("b", "Why?", shown), ...force("vote") })).calls[0]!.name).toBe("vote");
    expect((await ask(simulator, { ...roundBody("a", "Why?", shown), ...force("new_answer") })).calls[0]!.name).toBe("new_answer");
  });

  it("writes text where no call is allowed", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ pace: atOnce }) });
    const answer = await ask(simulator, { ...roundBody("a", "Why?", shown), tool_choice: "none" });
    expect([answer.calls, answer.finish]).toEqual([[], "stop"]);
  });

  it("leaves other tools alone", async () => {
    const simulator = await start({ respond: createSimulatedTeam({ pace: atOnce }) });
    const answer = await ask(simulator, { ...roundBody("a", "Why?", []), tools: [...workflowTools, functionTool("mcp__desk__lookup")] });
    expect(answer.calls.map((call) => call.name)).toEqual(["new_answer"]);
  });
});
