import { type Check, letterOf } from "../question.js";
import { choiceIn } from "./choice.js";
import { exactIn, isSameText } from "./exact.js";
import { numberIn } from "./numeric.js";

export interface Grade {
  readonly isRight: boolean;
  /** What the answer was taken to say; `null` when no answer could be read from it, which is wrong. */
  readonly read: string | null;
}

/** Judges an answer. Pure, and the same on every machine; questions for a judge are not for this. */
export function gradeAnswer(answer: string, check: Exclude<Check, { readonly grade: "judge" }>): Grade {
  switch (check.grade) {
    case "exact": {
      const read = exactIn(answer);
      return { isRight: read !== null && check.answers.some((right) => isSameText(right, read)), read };
    }
    case "numeric": {
      const read = numberIn(answer, check.units);
      return { isRight: read !== null && Math.abs(read - check.answer) <= check.tolerance, read: read === null ? null : String(read) };
    }
    case "choice": {
      const read = choiceIn(answer, check.choices);
      return { isRight: read === check.right, read: read === null ? null : letterOf(read) };
    }
    case "regex": {
      const found = check.pattern.exec(answer);
      return { isRight: found !== null, read: found?.[0] ?? null };
    }
  }
}
