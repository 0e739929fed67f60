import type { Attempt, EvaluationResult } from "@massgen/evaluation";
import { describe, expect, it } from "vitest";
import { comparisonLines, comparisonText } from "../../src/output/evaluation/comparison.js";
import { forecastText, progressLine, progressText } from "../../src/output/evaluation/evaluation-lines.js";
import { createReporter } from "../../src/output/evaluation/reporter.js";

const attempt = (answer: string | null, more: Partial<Attempt> = {}): Attempt => ({
  answer,
  error: answer === null ? "the vendor is down" : null,
  status: answer === null ? "error" : "completed",
  costUsd: 0.0123,
  inputTokens: 12_000,
  outputTokens: 345,
  calls: 7,
  durationMs: 92_000,
  log: null,
  ...more,
});

const comparison = {
  question: "Which cache?",
  simulated: false,
  compared: [
    {
      contender: { id: "team", name: "team of 3", agent: null },
      attempt: attempt("Use LRU | with care.\nIt is enough.", { log: "/logs/team" }),
    },
    {
      contender: { id: "agent:ada", name: "ada", agent: "ada" },
      attempt: attempt("Use LRU.", { costUsd: null, calls: 1, durationMs: 900 }),
    },
    { contender: { id: "agent:bob", name: "bob", agent: "bob" }, attempt: attempt(null, { costUsd: 0 }) },
  ],
};

describe("a comparison", () => {
  it("reads as last reviewed, for people and for scripts", async () => {
    const text = [comparisonText(comparison), "", ...comparisonLines(comparison), ""].join("\n");
    await expect(text).toMatchFileSnapshot("../golden/comparison.txt");
  });

  it("says of a simulated one that it says nothing", () => {
    expect(comparisonText({ ...comparison, simulated: true })).toContain("Simulated: no model was asked.");
  });
});

const result: EvaluationResult = {
  type: "result",
  question: "q1",
  contender: "agent:ada",
  outcome: "wrong",
  expected: "42",
  read: "41\n\u001b[2J",
  answer: "…",
  error: null,
  status: "completed",
  cost_usd: null,
  input_tokens: 1,
  output_tokens: 1,
  calls: 2,
  duration_ms: 3400,
  log: null,
  at: "2026-01-01T00:00:00.000Z",
};

describe("progress", () => {
  it.each<[more: Partial<EvaluationResult>, people: string, scripts: string]>([
    [
      {},
      "[3/80] q1 · ada alone: wrong (41 [2J, not 42) · price unknown · 3.4 s · about 5 min left",
      '3/80 wrong question="q1" contender="agent:ada" read="41 [2J" cost_usd=unknown calls=2 seconds=3.4',
    ],
    [
      { outcome: "correct", read: "42", cost_usd: 0.5 },
      "[3/80] q1 · ada alone: correct (42) · $0.5000 · 3.4 s · about 5 min left",
      '3/80 correct question="q1" contender="agent:ada" read="42" cost_usd=0.5 calls=2 seconds=3.4',
    ],
    [
      { outcome: "wrong", read: null, cost_usd: 0 },
      "[3/80] q1 · ada alone: wrong · $0.00 · 3.4 s · about 5 min left",
      '3/80 wrong question="q1" contender="agent:ada" read=none cost_usd=0 calls=2 seconds=3.4',
    ],
    [
      { outcome: "failed", read: null, error: "no answer", cost_usd: 0 },
      "[3/80] q1 · ada alone: failed: no answer · $0.00 · 3.4 s · about 5 min left",
      '3/80 failed question="q1" contender="agent:ada" read=none cost_usd=0 calls=2 seconds=3.4 error="no answer"',
    ],
  ])("%j", (more, people, scripts) => {
    const progress = { result: { ...result, ...more }, done: 3, total: 80 };
    expect(progressText(progress, "ada alone", 300_000)).toBe(people);
    expect(progressLine(progress)).toBe(scripts);
  });

  it.each([
    [
      { questions: 20, contenders: 4, runs: 80, leastCalls: 200, mostCalls: null },
      "20 questions × 4 contenders = 80 runs: at least 200 calls to models; no budget limits them (orchestrator.budget of the config would)",
    ],
    [
      { questions: 1, contenders: 2, runs: 1, leastCalls: 1, mostCalls: 1200 },
      "1 question × 2 contenders = 2 runs, 1 of them done: at least 1 call to models, at most 1,200 by the budget",
    ],
    [
      { questions: 1, contenders: 2, runs: 0, leastCalls: 0, mostCalls: null },
      "1 question × 2 contenders = 2 runs, all done: nothing is left to ask",
    ],
  ])("a forecast of %j", (forecast, text) => expect(forecastText(forecast)).toBe(text));
});

it("what models say reaches a terminal as text only, in each manner", () => {
  const said: string[] = [];
  const sink = { write: (text: string) => said.push(text), isTerminal: true, columns: () => 80, rows: () => 24 };
  for (const manner of ["people", "scripts", "json"] as const) {
    const reporter = createReporter(manner, { out: sink, err: sink });
    reporter.tell("RESULT", "a\u001b[2J\nb", "a\u001b[2J\nb");
    reporter.warn("a\u001b[2J");
    reporter.conclude({ text: "\u001b[2J", json: { answer: "\u009b2J" }, lines: ["\u001b[2J"] });
  }
  expect(said).toHaveLength(9);
  for (const control of ["\u001b", "\u009b"]) expect(said.join("")).not.toContain(control);
  expect(said.filter((text) => text.startsWith("RESULT: "))).toEqual(["RESULT: a␛[2J\\nb\n"]);
});
