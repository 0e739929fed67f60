import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Check, gradeAnswer } from "../src/index.js";

const read = (answer: string, check: Exclude<Check, { readonly grade: "judge" }>): string | null => gradeAnswer(answer, check).read;

const numeric = (
  answer: number,
  more: Partial<Extract<Check, { readonly grade: "numeric" }>> = {},
): Extract<Check, { grade: "numeric" }> => ({
  grade: "numeric",
  answer,
  tolerance: 0,
  unit: null,
  units: {},
  ...more,
});

describe("numbers", () => {
  it.each<[answer: string, number: string | null]>([
    ["42", "42"],
    ["Answer: 42", "42"],
    ["**Answer:** 42.", "42"],
    ["**Answer: 42**", "42"],
    ["## Final answer: 1,234", "1234"],
    ["The answer is: 7", "7"],
    ["Answer: 6 × 7 = 42", "42"],
    ["Answer: 42 (that is 6 × 7 = 42 boxes)", "42"],
    ["Answer: (42)", "42"],
    ["First 3 boxes, then 5.\nAnswer:\n\n8 boxes\n\nI am sure: 100 %.", "8"],
    ["Answer: 1\nNo, wait.\nAnswer: 2", "2"],
    ["There are 12 rows of 4, so 48 seats.", "48"],
    ["I need 3 + 4 = 7", "7"],
    ["$\\boxed{42}$ is it; 1 check", "42"],
    ["Answer: $\\boxed{1{,}024}$", "1024"],
    ["Answer: $1,299.50", "1299.5"],
    ["Answer: -$5", "-5"],
    ["Answer: $-5", "-5"],
    ["Answer: €3.20", "3.2"],
    ["Answer: −17", "-17"],
    ["Answer: x = -3", "-3"],
    ["It takes 3-5 days", "5"],
    ["Answer: 1 234 567", "1234567"],
    ["Answer: 1\u202f234,5", "1234.5"],
    ["Answer: 12'500", "12500"],
    ["Answer: 1.234,56", "1234.56"],
    ["Answer: 1.234.567", "1234567"],
    ["Answer: 12,5", "12.5"],
    ["Answer: 0.05", "0.05"],
    ["Answer: .5", "0.5"],
    ["Answer: 1.2e3", "1200"],
    ["Answer: 1.2 × 10^3", "1200"],
    ["Answer: 3 × 10^{-2}", "0.03"],
    ["Answer: 3/4", "0.75"],
    ["Answer: \\frac{3}{4}", "0.75"],
    ["Answer: 2 1/2 cups", "2.5"],
    ["Answer: 2.5 million", "2500000"],
    ["Answer: 45%", "45"],
    ["Answer: 90 minutes", "90"],
    ["agent2 and room B12 know", null],
    ["Answer: a dozen", null],
    ["", null],
  ])("%j is read as %s", (answer, number) => {
    expect(read(answer, numeric(0))).toBe(number);
  });

  it("are compared within the tolerance, its end included", () => {
    expect([41.4, 41.5, 42.5, 42.6].map((said) => gradeAnswer(String(said), numeric(42, { tolerance: 0.5 })).isRight)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it.each<[answer: string, isRight: boolean]>([
    ["Answer: 1.5 km", true],
    ["Answer: 1500 m", true],
    ["Answer: 1,500 m", true],
    ["Answer: 1.5", true],
    ["Answer: 1500", false],
    ["Answer: 1500 mm", false],
  ])("%j in units of one's own: %s", (answer, isRight) => {
    expect(gradeAnswer(answer, numeric(1.5, { unit: "km", units: { m: 0.001 } })).isRight).toBe(isRight);
  });

  it("any number is read back as it is written, plain or with thousands set off", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const value = Number(`${whole}.${String(cents).padStart(2, "0")}`);
        const grouped = value.toLocaleString("en-US", { minimumFractionDigits: 2 });
        const german = value.toLocaleString("de-DE", { minimumFractionDigits: 2 });
        for (const text of [value.toFixed(2), grouped, german])
          expect(Number(read(`So we get this.\nAnswer: ${text}`, numeric(0))), text).toBe(value);
      }),
    );
  });
});

describe("choices", () => {
  const choices = ["Mercury", "Mars", "A cat", "None of these"];
  const choice: Check = { grade: "choice", choices, right: 1 };
  it.each<[answer: string, letter: string | null]>([
    ["B", "B"],
    ["b", "B"],
    ["(B)", "B"],
    ["Answer: B", "B"],
    ["Answer: **B**", "B"],
    ["**Answer:** (b)", "B"],
    ["Answer: B) Mars", "B"],
    ["Answer: B. Mars", "B"],
    ["Answer: B Mars", "B"],
    ["Answer: option B", "B"],
    ["Answer: Mars", "B"],
    ["Answer: mars.", "B"],
    ["Answer: A cat", "C"],
    ["Answer: B, because it is red", "B"],
    ["Answer: B – it is red", "B"],
    ["Answer: \\boxed{B}", "B"],
    ["It is \\boxed{\\text{B}}.", "B"],
    ["A is too hot, C is no planet. The correct answer is B.", "B"],
    ["I would take option D", "D"],
    ["Mars is red.\n\nB", "B"],
    ["It cannot be (A), so it is (B).", "B"],
    ["Mars", "B"],
    ["Answer: A and B", null],
    ["Answer: A, B", null],
    ["Answer: A or B", null],
    ["Answer: E", null],
    ["Answer: A dog", null],
    ["A planet is a thing.", null],
    ["", null],
  ])("%j takes %s", (answer, letter) => {
    expect(read(answer, choice)).toBe(letter);
  });

  it("a letter of no choice is no answer", () => {
    expect(read("The answer is Z", choice)).toBeNull();
  });
});

describe("exact answers", () => {
  const exact: Check = { grade: "exact", answers: ["Paris", "City of Light"] };
  it.each<[answer: string, isRight: boolean]>([
    ["Paris", true],
    ["paris.", true],
    ["Answer: Paris", true],
    ["Answer: **Paris**", true],
    ['Answer: "PARIS"', true],
    ["It is an old town.\n\nParis", true],
    ["Answer: the city of light", false],
    ["Answer: City  of\u00a0Light!", true],
    ["Answer: Paris, Texas", false],
    ["Answer: Lyon\n\nParis", false],
    ["", false],
  ])("%j: %s", (answer, isRight) => {
    expect(gradeAnswer(answer, exact).isRight).toBe(isRight);
  });
});

it("a regular expression is looked for anywhere", () => {
  const regex: Check = { grade: "regex", pattern: /\bO\(n log n\)/i };
  expect(gradeAnswer("It takes o(n log n) steps.", regex)).toEqual({ isRight: true, read: "o(n log n)" });
  expect(gradeAnswer("It takes O(n^2) steps.", regex)).toEqual({ isRight: false, read: null });
});

it("reading an answer takes no time to speak of, however long and odd it is", () => {
  const hostile = [
    `${"1,111".repeat(20_000)}x`,
    `${"Answer: ".repeat(20_000)}`,
    `${"(".repeat(50_000)}A`,
    "1 ".repeat(50_000),
    "\\boxed{".repeat(20_000),
    `${"*_ \n".repeat(30_000)}answer`,
  ];
  for (const answer of hostile) {
    const startedMs = performance.now();
    gradeAnswer(answer, numeric(1));
    gradeAnswer(answer, { grade: "choice", choices: ["a", "b"], right: 0 });
    gradeAnswer(answer, { grade: "exact", answers: ["a"] });
    expect(performance.now() - startedMs, answer.slice(0, 10)).toBeLessThan(2000);
  }
});
