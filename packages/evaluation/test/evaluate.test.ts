import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Attempt,
  contendersOf,
  type EvaluateOptions,
  type EvaluationHeader,
  type EvaluationResult,
  evaluate,
  lastResults,
  mismatches,
  parseQuestions,
  readEvaluation,
  summarise,
  summaryText,
} from "../src/index.js";

const questions = parseQuestions(
  Array.from({ length: 6 }, (_, at) => JSON.stringify({ id: `q${at}`, question: `${at} + 1?`, answer: at + 1 })).join("\n"),
  "sums",
);
const contenders = contendersOf(["ada", "bob"]);

const attempt = (answer: string | null, more: Partial<Attempt> = {}): Attempt => ({
  answer,
  error: answer === null ? "the vendor is down" : null,
  status: answer === null ? "error" : "completed",
  costUsd: 0.01,
  inputTokens: 100,
  outputTokens: 10,
  calls: 2,
  durationMs: 1500,
  log: null,
  ...more,
});

/** Right where `rightOf` says so, and nothing is real. */
const playing = (
  more: Partial<EvaluateOptions> = {},
): EvaluateOptions & { readonly results: EvaluationResult[]; readonly asked: string[] } => {
  const results: EvaluationResult[] = [];
  const asked: string[] = [];
  return {
    questions,
    contenders,
    ask: (question, contender) => {
      asked.push(`${question.id} ${contender.id}`);
      return Promise.resolve(
        attempt(
          contender.id === "agent:bob" && question.id > "q2"
            ? "0"
            : question.check.grade === "numeric"
              ? String(question.check.answer)
              : "?",
        ),
      );
    },
    judge: () => Promise.resolve({ is: "unknown", why: "there is none" }),
    record: (result) => {
      results.push(result);
      return Promise.resolve();
    },
    now: () => Date.UTC(2026, 0, 1),
    signal: new AbortController().signal,
    ...more,
    results,
    asked,
  };
};

const header: EvaluationHeader = {
  type: "evaluation",
  schema_version: 1,
  dataset: { name: "sums", sha256: "d" },
  config: { path: null, sha256: "c" },
  contenders,
  questions: questions.map(({ id }) => id),
  seed: null,
  simulated: false,
  massgen_version: "1.2.3",
  started_at: "2026-01-01T00:00:00.000Z",
};

describe("an evaluation", () => {
  it("asks every question of the team and of each agent, and records what came of it", async () => {
    const play = playing();
    const seen: string[] = [];
    expect(await evaluate({ ...play, onProgress: ({ done, total }) => seen.push(`${done}/${total}`) })).toBe("finished");
    expect(play.asked.slice(0, 4)).toEqual(["q0 team", "q0 agent:ada", "q0 agent:bob", "q1 team"]);
    expect(play.results).toHaveLength(18);
    expect(seen.at(-1)).toBe("18/18");
    expect(play.results.filter(({ outcome }) => outcome === "wrong").map(({ contender }) => contender)).toEqual([
      "agent:bob",
      "agent:bob",
      "agent:bob",
    ]);
    expect(play.results[0]).toEqual({
      type: "result",
      question: "q0",
      contender: "team",
      outcome: "correct",
      expected: "1",
      read: "1",
      answer: "1",
      error: null,
      status: "completed",
      cost_usd: 0.01,
      input_tokens: 100,
      output_tokens: 10,
      calls: 2,
      duration_ms: 1500,
      log: null,
      at: "2026-01-01T00:00:00.000Z",
    });
  });

  it("goes on where it was cut off, whatever had been recorded, and asks nothing twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(contenders.flatMap(({ id }) => questions.map((question) => `${question.id} ${id}`))),
        fc.integer({ min: 1, max: 4 }),
        async (done, concurrency) => {
          const whole = playing();
          await evaluate(whole);
          const known = whole.results.filter(({ question, contender }) => done.includes(`${question} ${contender}`));
          const rest = playing();
          expect(await evaluate({ ...rest, concurrency, known: lastResults(known) })).toBe("finished");
          expect([...done, ...rest.asked].sort()).toEqual(whole.asked.toSorted());
          expect(summarise(header, [...known, ...rest.results])).toEqual(summarise(header, whole.results));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("counts what cannot be asked apart, and asks it again only when told to, with what both tries cost", async () => {
    const down = playing({ ask: ({ id }, contender) => Promise.resolve(attempt(id === "q1" && contender.id === "team" ? null : "9")) });
    await evaluate(down);
    const before = summarise(header, down.results).contenders[0];
    expect(before).toMatchObject({ correct: 0, wrong: 5, failed: 1, open: 0 });
    const left = playing();
    expect(await evaluate({ ...left, known: lastResults(down.results) })).toBe("finished");
    expect(left.asked).toEqual([]);
    const again = playing();
    await evaluate({ ...again, known: lastResults(down.results), retryFailed: true });
    expect(again.asked).toEqual(["q1 team"]);
    expect(again.results[0]).toMatchObject({ outcome: "correct", cost_usd: 0.02, calls: 4, input_tokens: 200 });
  });

  it("gives up after failures in a row, and says so", async () => {
    const down = playing({ ask: () => Promise.resolve(attempt(null)) });
    expect(await evaluate(down)).toBe("gave_up");
    expect(down.results).toHaveLength(5);
  });

  it("begins nothing more once what may be spent is spent, and goes on when there is more", async () => {
    const play = playing();
    expect(await evaluate({ ...play, isSpent: ({ calls, costUsd }) => calls >= 7 || costUsd === null })).toBe("spent");
    // Two calls each: the fourth run is the one that reaches seven.
    expect(play.results).toHaveLength(4);
    const rest = playing();
    expect(await evaluate({ ...rest, known: lastResults(play.results), isSpent: ({ calls }) => calls >= 28 })).toBe("finished");
    expect(rest.results).toHaveLength(14);
    const unpriced = playing({ ask: () => Promise.resolve(attempt("1", { costUsd: null })) });
    expect(await evaluate({ ...unpriced, isSpent: ({ costUsd }) => costUsd === null })).toBe("spent");
    expect(unpriced.results).toHaveLength(1);
  });

  it("an answer that could not be judged is judged again without being paid for again", async () => {
    const open = parseQuestions('{"id":"j","question":"Nice?","grade":"judge"}', "judged");
    const first = playing({ questions: open, judge: () => Promise.resolve({ is: "unknown", why: "it timed out" }) });
    await evaluate(first);
    expect(first.results.map(({ outcome, error }) => `${outcome} ${error}`)).toEqual(Array(3).fill("failed the judge: it timed out"));
    const second = playing({
      questions: open,
      judge: () => Promise.resolve({ is: "right" }),
      retryFailed: true,
      known: lastResults(first.results),
    });
    await evaluate(second);
    expect(second.asked).toEqual([]);
    expect(second.results.map(({ outcome, cost_usd }) => [outcome, cost_usd])).toEqual(Array(3).fill(["correct", 0.01]));
  });

  it("an interrupt stops what runs, records nothing of it, and begins nothing more", async () => {
    const stop = new AbortController();
    const play = playing({
      concurrency: 2,
      signal: stop.signal,
      ask: ({ id }, { id: contender }, signal) => {
        if (id === "q1" && contender === "team") stop.abort();
        return Promise.resolve(signal.aborted ? null : attempt("1"));
      },
    });
    expect(await evaluate(play)).toBe("interrupted");
    expect(play.results.length).toBeLessThanOrEqual(4);
  });

  it("a fault of the caller ends it once all that ran has stopped", async () => {
    const stopped: string[] = [];
    const play = playing({
      concurrency: 2,
      ask: async ({ id }, contender, signal) => {
        if (contender.id === "agent:ada") throw new Error("no key");
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        stopped.push(`${id} ${contender.id}`);
        return null;
      },
    });
    await expect(evaluate(play)).rejects.toThrow("no key");
    expect(stopped).toEqual(["q0 team"]);
  });
});

describe("a results file", () => {
  const write = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");

  it("is read back whole, and without the line that a crash tore, wherever that was", async () => {
    const play = playing();
    await evaluate(play);
    const text = write([header, ...play.results]);
    const file = readEvaluation(text, "r.jsonl");
    expect(file?.header).toEqual(header);
    expect(file?.results).toEqual(play.results);
    for (let cut = 0; cut <= text.length; cut += 37) {
      const part = readEvaluation(text.slice(0, cut), "r.jsonl");
      const whole = text.slice(0, cut).split("\n").length - 1;
      expect(part?.results.length ?? -1).toBe(whole - 1);
      if (part !== null) expect(text.slice(0, part.wholeBytes).endsWith("\n")).toBe(true);
    }
  });

  it.each([
    ["a log\n", "line 1 is no JSON object"],
    ["somebody's notes", "line 1 is not the beginning of one"],
    ['{"type":"session_start"}\n', "line 1 is not the beginning of one"],
    [`${JSON.stringify(header)}\n{"x":1}\n`, "line 2 is no result"],
    [`${JSON.stringify(header)}\n\n`, "line 2 is no JSON object"],
  ])("%j is none", (text, saying) => {
    expect(() => readEvaluation(text, "r.jsonl")).toThrow(saying);
  });

  it("takes no results of anything else", () => {
    expect(mismatches(header, { ...header, started_at: "later" })).toEqual([]);
    expect(
      mismatches(header, {
        ...header,
        dataset: { name: "sums", sha256: "other" },
        config: { path: null, sha256: "other" },
        contenders: contenders.slice(1),
        questions: ["q0"],
        simulated: true,
      }),
    ).toHaveLength(5);
  });
});

describe("the summary", () => {
  it("of unknown prices is unknown, never less", async () => {
    const play = playing({
      ask: ({ id }, contender) => Promise.resolve(attempt("1", { costUsd: id === "q3" && contender.id === "team" ? null : 0.5 })),
    });
    await evaluate(play);
    const [team, ada] = summarise(header, play.results).contenders;
    expect(team).toMatchObject({ cost_usd: null, cost_per_correct_usd: null });
    expect(ada).toMatchObject({ cost_usd: 3, correct: 1, cost_per_correct_usd: 3 });
  });

  it("sets the team against the best agent alone; of equals against the cheaper one", async () => {
    const play = playing({ ask: (_, { id }) => Promise.resolve(attempt("1", { costUsd: id === "agent:ada" ? 2 : 1 })) });
    await evaluate(play);
    expect(summarise(header, play.results).pairing).toMatchObject({ first: "team", second: "agent:bob", difference: 0, p: 1 });
  });

  it("reads as last reviewed", async () => {
    const play = playing({
      ask: ({ id, check }, contender) => {
        const right = check.grade === "numeric" ? String(check.answer) : "?";
        const isRight = contender.agent === null || (contender.agent === "ada" ? id < "q4" : id === "q0");
        const failed = id === "q5" && contender.agent === "bob";
        return Promise.resolve(
          attempt(failed ? null : isRight ? right : "no idea", { costUsd: contender.agent === null ? 0.0312 : 0.0078 }),
        );
      },
    });
    await evaluate(play);
    const whole = summaryText(summarise(header, play.results), (text) => text.length);
    const part = summaryText(summarise({ ...header, simulated: true }, play.results.slice(0, 4)), (text) => text.length);
    await expect(`${whole}\n\n---\n\n${part}\n`).toMatchFileSnapshot("golden/summary.txt");
  });
});
