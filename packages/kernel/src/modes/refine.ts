import type { Policy } from "../policy.js";

const DEFAULT_REFINE_ANSWERS = 2;

/** Answers of a single agent that refines: what was configured, the smaller of both, else two. */
export function refineCap(policy: Policy): number {
  const given = [policy.maxRounds, policy.maxAnswersPerAgent].filter((cap) => cap !== null);
  return given.length === 0 ? DEFAULT_REFINE_ANSWERS : Math.min(...given);
}
