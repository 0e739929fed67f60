import type { Policy } from "./policy.js";
import type { Answer } from "./state.js";

/** Likeness above which an answer brings too little that is new; `null` never refuses one. */
export const NOVELTY_LIMIT: Readonly<Record<Policy["novelty"], number | null>> = { lenient: null, balanced: 0.7, strict: 0.5 };

/** Some rule of this run wants to know how alike answers are; without one nothing is compared, and nothing spent on it. */
export const isCompared = ({ novelty, restartAfterStagnation }: Policy): boolean =>
  novelty !== "lenient" || restartAfterStagnation !== null;

interface Text {
  readonly content: string;
}

/**
 * The answer most like `text`, or `null` when there is none; of equals the earlier one. Splitting a text into words costs
 * some 30 ms per 10 000 characters and is done once for each answer, comparing two costs almost nothing.
 */
export function mostSimilar(text: Text, answers: readonly Answer[]): { readonly answer: Answer; readonly similarity: number } | null {
  let nearest: { readonly answer: Answer; readonly similarity: number } | null = null;
  for (const answer of answers) {
    const similarity = similarityOf(text, answer);
    if (nearest === null || similarity > nearest.similarity) nearest = { answer, similarity };
  }
  return nearest;
}

/** Words both texts have over words either has, from 0 to 1. Two texts without words are alike, a text and none are not. */
export function similarityOf(a: Text, b: Text): number {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  if (first.size === 0 && second.size === 0) return 1;
  const [small, large] = first.size <= second.size ? [first, second] : [second, first];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / (first.size + second.size - shared);
}

/** Kept as long as the answer itself: facts and answers are never changed in place. */
const known = new WeakMap<Text, ReadonlySet<string>>();

function wordsOf(text: Text): ReadonlySet<string> {
  const before = known.get(text);
  if (before !== undefined) return before;
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter().segment(text.content.normalize("NFKC").toLowerCase()))
    if (isWordLike === true) words.add(segment);
  known.set(text, words);
  return words;
}

let splitter: Intl.Segmenter | null = null;
/** Of no language in particular, so that it splits the same on every machine; texts without blanks are split by dictionary. */
const segmenter = (): Intl.Segmenter => {
  splitter ??= new Intl.Segmenter("und", { granularity: "word" });
  return splitter;
};
