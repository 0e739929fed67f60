import type { Policy } from "./policy.js";

/** What an unreadable confidence counts as, and what a vote weighs at least: a hesitant vote is still one. */
const DEFAULT_CONFIDENCE = 0.5;
const MIN_WEIGHT = 0.05;

/** What a vote weighs, and the confidence it was given with (docs/spec/coordination.md 1.22). */
export function weighVote(
  given: number | null,
  isOwn: boolean,
  { votingMethod, selfVoteWeight }: Policy,
): { readonly confidence: number | null; readonly confidenceDefaulted: boolean; readonly weight: number } {
  const factor = isOwn ? selfVoteWeight : 1;
  const read = given === null ? null : readConfidence(given);
  if (votingMethod === "plurality") return { confidence: read, confidenceDefaulted: false, weight: factor };
  const confidence = read ?? DEFAULT_CONFIDENCE;
  return { confidence, confidenceDefaulted: read === null, weight: Math.max(MIN_WEIGHT, confidence) * factor };
}

/** Models write 85 for 0.85: what is above 1 is a percentage up to 100, and everything else is brought between 0 and 1. */
function readConfidence(given: number): number {
  const value = given > 1 && given <= 100 ? given / 100 : given;
  return Math.min(1, Math.max(0, value));
}
