import { MassgenError } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { parseQuestions, pickQuestions, promptOf } from "../src/index.js";

const line = (value: unknown): string => JSON.stringify(value);
const one = (value: unknown): unknown => parseQuestions(line(value), "set.jsonl")[0]?.check;

const messageOf = (text: string): string => {
  try {
    parseQuestions(text, "set.jsonl");
  } catch (error) {
    if (MassgenError.is(error, "CONFIG_INVALID")) return error.message;
    throw error;
  }
  throw new Error("no error");
};

describe("a data set", () => {
  it("tells from its keys how answers are graded", () => {
    expect(one({ question: "?", answer: 42 })).toEqual({
      grade: "numeric",
      answer: 42,
      tolerance: expect.closeTo(42e-9, 15),
      unit: null,
      units: {},
    });
    expect(one({ question: "?", answer: "42", grade: "numeric", relative_tolerance: 0.1, tolerance: 1 })).toMatchObject({
      answer: 42,
      tolerance: 4.2,
    });
    expect(one({ question: "?", answer: "Paris" })).toEqual({ grade: "exact", answers: ["Paris"] });
    expect(one({ question: "?", answer: ["a", "b"] })).toEqual({ grade: "exact", answers: ["a", "b"] });
    expect(one({ question: "?", choices: ["x", "y"], answer: "b" })).toEqual({ grade: "choice", choices: ["x", "y"], right: 1 });
    expect(one({ question: "?", choices: ["x", "y"], answer: "y" })).toMatchObject({ right: 1 });
    // A letter that is itself the text of a choice is that choice.
    expect(one({ question: "?", choices: ["B", "A"], answer: "A" })).toMatchObject({ right: 1 });
    expect(one({ question: "?", pattern: "^a", flags: "im" })).toEqual({ grade: "regex", pattern: /^a/im });
    expect(one({ question: "?", grade: "judge", answer: { a: 1 } })).toEqual({ grade: "judge", expected: '{"a":1}' });
  });

  it("numbers questions without an id, skips empty lines, and leaves what is somebody's own alone", () => {
    const text = `\uFEFF${line({ question: "a", answer: 1 })}\r\n\r\n${line({ id: 7, question: "b", answer: 2, meta: { from: "me" } })}\n`;
    expect(parseQuestions(text, "set.jsonl").map(({ id }) => id)).toEqual(["1", "7"]);
  });

  it.each<[value: unknown, saying: string]>([
    ["", "holds no questions"],
    ["{", "set.jsonl:1: this is no JSON"],
    [[1], "a question is a JSON object"],
    [{ answer: 1 }, 'there is no "question"'],
    [{ question: "?" }, 'there is no "answer"'],
    [{ question: "?", answer: 1, tolarance: 2 }, '"tolarance" means nothing to grade "numeric"'],
    [{ question: "?", answer: true }, '"answer" is to be a text'],
    [{ question: "?", answer: "x", grade: "numeric" }, '"answer" is to be a number, not "x"'],
    [{ question: "?", answer: 1, tolerance: -1 }, '"tolerance" is to be a number of at least 0'],
    [{ question: "?", answer: 1, units: { m: 1 } }, '"units" needs the "unit"'],
    [{ question: "?", answer: 1, unit: "m", units: { km: 0 } }, "a factor above 0"],
    [{ question: "?", answer: "C", choices: ["x", "y"] }, "one of the 2 choices"],
    [{ question: "?", answer: "A", choices: ["x"] }, "2 to 26"],
    [{ question: "?", pattern: "(" }, '"pattern" is no regular expression'],
    [{ question: "?", pattern: "a", flags: "g" }, '"flags" may hold'],
    [{ question: "?", answer: 1, grade: "vibes" }, '"grade" is one of exact, numeric, choice, regex, judge'],
    [{ question: "?", answer: 1, id: "" }, '"id" is to be'],
  ])("%j: %s", (value, saying) => {
    expect(messageOf(typeof value === "string" ? value : line(value))).toContain(saying);
  });

  it("names all lines that are wrong at once", () => {
    const text = [line({ question: "a", answer: 1, id: "x" }), "nonsense", line({ question: "b", answer: 1, id: "x" })].join("\n");
    expect(messageOf(text)).toMatch(/set\.jsonl:2: .*\nset\.jsonl:3: the id "x" is that of line 1/);
  });
});

it("the prompt says in which form the answer is read", () => {
  const prompts = parseQuestions(
    [
      { question: "How far?", answer: 3, unit: "km" },
      { question: "Which?", choices: ["x", "y"], answer: "A" },
      { question: "Where?", answer: "Paris" },
      { question: "Say a.", pattern: "a" },
    ]
      .map(line)
      .join("\n"),
    "set",
  ).map(promptOf);
  expect(prompts).toEqual([
    'How far?\n\nEnd your answer with a line of the form "Answer: <number>", in km.',
    'Which?\n\nA) x\nB) y\n\nExactly one choice is right. End your answer with a line of the form "Answer: <letter>".',
    'Where?\n\nEnd your answer with a line of the form "Answer: <answer>", and nothing else on it.',
    "Say a.",
  ]);
});

it("a limit takes the first questions, or with a seed the same sample each time", () => {
  const all = parseQuestions(Array.from({ length: 30 }, (_, at) => line({ question: `q${at}`, answer: at })).join("\n"), "set");
  const ids = (limit: number | null, seed: number | null): readonly string[] => pickQuestions(all, limit, seed).map(({ id }) => id);
  expect(ids(3, null)).toEqual(["1", "2", "3"]);
  expect(ids(5, 1)).toEqual(ids(5, 1));
  expect(ids(5, 1)).not.toEqual(ids(5, 2));
  expect(ids(null, 1).toSorted()).toEqual(ids(null, null).toSorted());
  expect(ids(10, 4).slice(0, 5)).toEqual(ids(5, 4));
});
