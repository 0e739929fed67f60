import { ANSWER_TOKENS, SYSTEM_TOKENS, TASK_TOKENS } from "../tokens/standard-run.js";

/**
 * The share that no order of these calls can exceed: all that a request repeats of an earlier one on the same model. The
 * first request of the run repeats nothing, later first requests all but the task's end, and votes and presentation all but
 * the answers, which only the first of them is the first to read.
 */
export function mostCacheable(size: number): number {
  const opening = SYSTEM_TOKENS + TASK_TOKENS;
  const answers = size * ANSWER_TOKENS;
  const input = size * opening + (size + 1) * (opening + answers);
  const fresh = opening + answers;
  return 1 - fresh / input;
}
