import { describe, expect, it } from "vitest";
import { countTokens, fillerText, scriptedTeam, step } from "../src/index.js";
import { ask, post } from "./chat-client.js";
import { openSimulators } from "./open-simulators.js";
import { playByHand } from "./play-by-hand.js";
import { presentationBody, roundBody } from "./team-prompts.js";

const start = openSimulators();
const shown = [
  { from: "agent2", text: "Two." },
  { from: "agent1", text: "One." },
];

describe("a scripted team", () => {
  it("takes its steps in order and is obedient afterwards, so that every run ends", async () => {
    const simulator = await start({
      respond: scriptedTeam({ a: [step.answer("A1"), step.answer("A2")], b: [step.answer(50), step.vote("agent1", "short")] }),
    });
    const { course, answers, final } = await playByHand(simulator, ["a", "b", "c"], "Why?");
    expect(course.slice(0, 3).sort()).toEqual(["agent1 answers", "agent2 answers", "agent3 answers"]);
    expect(course.slice(3, -3)).toContain("agent1 answers");
    expect(course.slice(-3).sort()).toEqual([1, 2, 3].map((agent) => `agent${agent} votes for ${answers[0]!.from}`));
    expect(answers.find((answer) => answer.from === "agent1")!.text).toBe("A2");
    expect(countTokens(answers.find((answer) => answer.from === "agent2")!.text)).toBe(50);
    expect(final).toMatch(/^Scripted final text/);
  });

  it("plays every kind of step", async () => {
    const respond = scriptedTeam({
      m: [
        step.tool("look", { q: 1 }),
        step.text("Hm."),
        step.text(20),
        step.fail(529),
        { do: "fail", status: 429, headers: { "retry-after": "1" } },
        step.cut(100, 10),
        step.vote(-1),
        step.vote(0, 30),
        step.vote(9),
        { do: "reply", reply: { kind: "message", text: "raw" } },
        (request, view) => step.text(`${request.index} ${view.answers.length}`),
      ],
    });
    const simulator = await start({ respond });
    const body = roundBody("m", "Why?", shown);
    expect((await ask(simulator, body)).calls).toMatchObject([{ name: "look", input: { q: 1 } }]);
    expect((await ask(simulator, body)).text).toBe("Hm.");
    expect((await ask(simulator, body)).usage!.completion_tokens).toBe(20);
    expect((await post(simulator, body)).status).toBe(529);
    expect((await post(simulator, body)).headers.get("retry-after")).toBe("1");
    await expect((await post(simulator, { ...body, stream: true })).text()).rejects.toThrow();
    const votes = [await ask(simulator, body), await ask(simulator, body), await ask(simulator, body)].map(
      (answer) => answer.calls[0]!.input as { agent_id: string; reason: string },
    );
    expect(votes.map((vote) => vote.agent_id)).toEqual(["agent1", "agent2", "agent2"]);
    expect(countTokens(votes[1]!.reason)).toBe(30);
    expect((await ask(simulator, body)).text).toBe("raw");
    expect((await ask(simulator, body)).text).toBe("10 2");
  });

  it("names no model in what others read, and makes up another text for each request", async () => {
    const simulator = await start({ respond: scriptedTeam({ secret: [step.answer(30), step.answer(30)] }) });
    const texts = [];
    for (let turn = 0; turn < 4; turn++)
      texts.push((await ask(simulator, roundBody("secret", "Why?", []))).calls[0]!.input as { content: string });
    expect(new Set(texts.map((text) => text.content)).size).toBe(4);
    expect(JSON.stringify(texts)).not.toContain("secret");
  });

  it("presents in text even when a script has nothing for it", async () => {
    const simulator = await start({ respond: scriptedTeam() });
    expect((await ask(simulator, presentationBody("m", "Why?", shown, "agent2"))).calls).toEqual([]);
  });
});

describe("made-up text", () => {
  it.each([0, 1, 60, 640, 5000])("has exactly %i tokens", (tokens) => {
    for (const seed of [0, 1, 2, 77]) expect(countTokens(fillerText(tokens, seed))).toBe(tokens);
  });

  it("is the same for the same seed and another for another, with prose, list, code, table and wide characters in it", () => {
    const text = fillerText(1000, 3);
    expect(text).toBe(fillerText(1000, 3));
    expect(text).not.toBe(fillerText(1000, 4));
    for (const sign of ["1. ", "```ts", "| LRU |", "缓存", "\u{1F680}"]) expect(text).toContain(sign);
  });
});
