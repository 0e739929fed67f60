import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { gradeAnswer, letterOf, parseQuestions } from "@massgen/evaluation";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../../configs/datasets/", import.meta.url));
const names = readdirSync(folder);

describe("the data sets that ship", () => {
  it.each(names)("%s is read, and a plain right answer is right", (name) => {
    const questions = parseQuestions(readFileSync(folder + name, "utf8"), name);
    expect(questions).toHaveLength(20);
    for (const { id, check } of questions) {
      if (check.grade === "judge" || check.grade === "regex") throw new Error(`${id} cannot be checked here`);
      const right = check.grade === "numeric" ? String(check.answer) : check.grade === "choice" ? letterOf(check.right) : check.answers[0];
      expect(gradeAnswer(`I thought about it for 3 minutes.\n**Answer:** ${right}`, check).isRight, id).toBe(true);
    }
  });

  it("arithmetic.jsonl: every answer is what its own working comes to", () => {
    for (const line of readFileSync(`${folder}arithmetic.jsonl`, "utf8").trim().split("\n")) {
      const { id, answer, meta } = JSON.parse(line) as { id: string; answer: number; meta: { working: string } };
      expect(meta.working, id).toMatch(/^[\d.+\-*/() ]+$|^Math\.ceil\([\d/]+\)$/);
      expect(runInNewContext(meta.working), id).toBeCloseTo(answer, 9);
    }
  });

  it("general.jsonl: no letter is right more often than the others", () => {
    const right = parseQuestions(readFileSync(`${folder}general.jsonl`, "utf8"), "general").map(({ check }) =>
      check.grade === "choice" ? check.right : -1,
    );
    for (const place of [0, 1, 2, 3]) expect(right.filter((one) => one === place)).toHaveLength(5);
  });
});
