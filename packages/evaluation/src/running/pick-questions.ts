import type { Question } from "../question.js";

/**
 * At most `limit` of the questions. Without a seed the first ones; with one a sample in its order, the same for the same seed.
 */
export function pickQuestions(questions: readonly Question[], limit: number | null, seed: number | null): readonly Question[] {
  const order = seed === null ? questions : shuffled(questions, seed);
  return limit === null ? order : order.slice(0, limit);
}

function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const next = randomFrom(seed);
  const order = [...list];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** Mulberry32: small, and good enough to draw questions with. Uniform in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
