import { outstanding, paraphraseFor } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { type PolicyChange, table } from "./play.js";

const IDS = ["ada", "bob", "cy"];
const team = (change: PolicyChange = {}) => table(IDS, { paraphrases: 2, paraphraseThreshold: null, ...change });
const work = (run: ReturnType<typeof table>) => outstanding(run.state, run.policy);
const given = (run: ReturnType<typeof table>) => IDS.map((id) => paraphraseFor(run.state, id));
const say = (run: ReturnType<typeof table>, wordings: readonly string[], agent = "ada", failure: string | null = null) =>
  run.send({ type: "paraphrased", agent, wordings: wordings.map((text) => ({ text, sameness: null })), failure });

describe("other wordings of the question", () => {
  it("are asked for before the first round, under a limit, and given to the agents in turn", () => {
    const run = team();
    expect(work(run)).toMatchObject([
      { kind: "paraphrase", agent: "ada" },
      { kind: "timer", limit: "paraphrases", sinceSeq: run.state.seq },
    ]);
    say(run, [" one ", "two", "three"]);
    expect(run.of("question_paraphrased")).toMatchObject([{ agent: "ada", wordings: ["one", "two"], failure: null }]);
    expect(given(run)).toEqual(["one", "two", "one"]);
    expect(run.state).toMatchObject({ phase: "coordinating", question: "q" });
  });

  it("stay the same in another attempt, and are not asked for again", () => {
    const run = team({ maxRestarts: 1 });
    say(run, ["one", "two"]);
    for (const id of IDS) run.answer(id, `by ${id}`);
    for (const id of IDS) run.vote(id, "agent1");
    run.send({ type: "presented", agent: "ada", content: "presented", snapshot: null });
    run.send({ type: "evaluated", agent: "ada", round: run.agent("ada").round, verdict: "restart", reason: "thin", instructions: "more" });
    expect(run.state.attempt).toBe(2);
    expect(given(run)).toEqual(["one", "two", "one"]);
    expect(run.of("paraphrasing_started")).toHaveLength(1);
  });

  it("that ask for something else, or are not surely the same, are dropped and stay on record", () => {
    const run = team({ paraphrases: 3, paraphraseThreshold: 0.85 });
    const wordings = [
      { text: "same", sameness: { isSame: true, confidence: 0.85 } },
      { text: "perhaps", sameness: { isSame: true, confidence: 0.84 } },
      { text: "other", sameness: { isSame: false, confidence: 1 } },
      { text: "q", sameness: { isSame: true, confidence: 1 } },
      { text: "unknown", sameness: null },
    ];
    run.send({ type: "paraphrased", agent: "ada", wordings, failure: null });
    expect(run.of("question_paraphrased")).toMatchObject([{ agent: "ada", wordings: ["same"], dropped: ["perhaps", "other", "unknown"] }]);
    expect(given(run)).toEqual(["same", "same", "same"]);
    const none = team({ paraphraseThreshold: 0.85 });
    none.send({ type: "paraphrased", agent: "ada", wordings: wordings.slice(1, 3), failure: null });
    expect(none.of("question_paraphrased")).toMatchObject([
      { agent: null, wordings: [], dropped: ["perhaps", "other"], failure: "every other wording asked for something else" },
    ]);
  });

  it("are not asked for unless configured, nor where nobody works in rounds", () => {
    expect(table(IDS).of("paraphrasing_started")).toEqual([]);
    expect(team({ skipCoordination: true }).of("paraphrasing_started")).toEqual([]);
    expect(given(table(IDS))).toEqual([null, null, null]);
  });

  it.each([
    ["the question itself, twice", ["q", " q "], null],
    ["blanks", ["", " \n"], null],
    ["a reply that cannot be read", ["one"], "no JSON"],
  ])("%s are none: everybody gets the question as it is, and why is on record", (_what, wordings, failure) => {
    const run = team();
    say(run, wordings, "ada", failure);
    expect(run.of("question_paraphrased")).toMatchObject([{ agent: null, wordings: [], failure: failure ?? expect.any(String) }]);
    expect(given(run)).toEqual([null, null, null]);
    expect(run.state.phase).toBe("coordinating");
  });

  it("the next agent is asked when a backend fails; after the last one there are none", () => {
    const run = team();
    for (const agent of IDS) run.send({ type: "paraphrasing_failed", agent, message: "503" });
    expect(run.of("paraphrasing_started").map(({ agent }) => agent)).toEqual(IDS);
    expect(run.of("question_paraphrased")).toMatchObject([{ agent: null, failure: "503" }]);
  });

  it("who was not asked, or was asked before, changes nothing", () => {
    const run = team();
    run.send({ type: "paraphrasing_failed", agent: "ada", message: "503" });
    for (const agent of ["ada", "cy"]) expect(say(run, ["one"], agent)).toEqual([]);
  });

  it("come after the question of planning mode and before the parts", () => {
    const run = table(IDS, { paraphrases: 1, planningMode: true }, "decomposition", []);
    run.send({ type: "analysed", agent: "ada", irreversible: false, blockedTools: [], failure: null });
    expect(work(run)[0]).toMatchObject({ kind: "paraphrase" });
    run.send({ type: "timer_fired", timer: "timer:paraphrases:paraphrases", texts: {} });
    expect(run.of("question_paraphrased")).toMatchObject([{ agent: null, failure: expect.stringContaining("time limit") }]);
    expect(work(run)[0]).toMatchObject({ kind: "divide" });
  });

  it("are not paid for by a budget that has no room for them", () => {
    const none = { maxTotalCostUsd: null, maxLlmCalls: null, maxAgentTokens: null, maxAgentCostUsd: null, maxRoundCostUsd: null };
    const run = team({ budget: { ...none, maxTotalTokens: 100, warnAt: 0.8, reserveForFinal: 0 } });
    const fact = {
      type: "llm_call",
      agent: "ada",
      round: -1,
      callId: "c",
      purpose: "planning",
      status: "started",
      ttftMs: null,
      durationMs: null,
      message: null,
    } as const;
    run.send({ type: "request_offered", fact, inputTokens: 200, maxOutputTokens: null, text: "" });
    expect(run.of("budget_exceeded")).toMatchObject([{ consequence: "unasked" }]);
    expect(run.of("question_paraphrased")).toMatchObject([{ agent: null }]);
    expect(run.state.phase).toBe("coordinating");
  });
});
