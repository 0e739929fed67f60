export type VotingSensitivity = "lenient" | "balanced" | "strict";

/**
 * Purpose: how good an answer must be to be voted for (docs/spec/coordination.md 1.10). It instructs only; a vote is
 * never refused for being too generous.
 */
export const criterion = (sensitivity: VotingSensitivity): string => CRITERIA[sensitivity];

const CRITERIA: Readonly<Record<VotingSensitivity, string>> = {
  lenient: "Vote as soon as the best answer is good: correct, and covering what was asked. Otherwise improve it.",
  balanced:
    "Vote only if the best answer is accurate and complete, with no evident weakness and no clearly better approach. Otherwise improve it.",
  strict:
    "Vote only for excellence: every aspect and edge case covered, every claim justified, fit to be used as a reference. Otherwise improve it.",
};
