export type NoveltyRequirement = "lenient" | "balanced" | "strict";

/** Purpose: what counts as new where answers are compared, and that a vote is the way out. Nothing where they are not. */
export function novelty(requirement: NoveltyRequirement): string | null {
  if (requirement === "lenient") return null;
  return `A new answer must bring something new. One that shares more than ${SHARED[requirement]} of its words with any current answer, your own included, is refused: other wording, order or length is not enough, another approach, more depth or a repaired error is. If you have nothing of that kind to add, vote.`;
}

const SHARED = { balanced: "70 %", strict: "50 %" } as const;
