import { createHash } from "node:crypto";
import { type Check, letterOf, promptOf, type Question } from "@massgen/evaluation";
import { createQuizTeam, demoTeam, type Respond } from "@massgen/simulator";

/** How often each stand-in is right, in the order of the team. Together they can be better: their mistakes differ. */
const SHARES = [0.75, 0.7, 0.65];

/** Stand-ins that know the answers of a data set and give them, or a wrong one, the same each time. Nobody thinks. */
export function simulatedQuiz(questions: readonly Question[]): Respond {
  const byPrompt = new Map(questions.map((question) => [promptOf(question).trim(), question]));
  const models = demoTeam().map(({ model }) => model);
  return createQuizTeam({
    models,
    reply: (asked, member) => {
      const question = byPrompt.get(asked.trim());
      if (question === undefined) return null;
      const draw = drawFor(question.id, member);
      return sayAnswer(question.check, draw < (SHARES[member] ?? 0.7), Math.floor(draw * 1e6));
    },
  });
}

/** Uniform in [0, 1), always the same for a question and a member. */
function drawFor(id: string, member: number): number {
  return (
    createHash("sha256")
      .update(JSON.stringify([id, member]))
      .digest()
      .readUInt32BE(0) /
    2 ** 32
  );
}

/** `other` picks among wrong answers. */
function sayAnswer(check: Check, isRight: boolean, other: number): string {
  switch (check.grade) {
    case "numeric":
      return String(isRight ? check.answer : check.answer + 1 + Math.ceil(check.tolerance) + (other % 5));
    case "choice": {
      const wrong = (check.right + 1 + (other % (check.choices.length - 1))) % check.choices.length;
      return letterOf(isRight ? check.right : wrong);
    }
    case "exact":
      return isRight ? (check.answers[0] ?? "") : `something else (${other % 5})`;
    case "regex":
    case "judge":
      return `a simulated answer (${other % 5})`;
  }
}
