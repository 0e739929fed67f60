/**
 * Edits that turn one word into the other: insert, delete, replace, swap neighbours (Damerau–Levenshtein, optimal string alignment).
 * Gives `limit + 1` as soon as it is certain that more than `limit` are needed.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

const plain = (word: string): string => word.toLowerCase().replaceAll("-", "_");

/** How far off a word may be: a third of its length, at least one edit and at most three. */
const toleranceFor = (word: string): number => Math.min(3, Math.max(1, Math.floor(word.length / 3)));

/** At most three candidates close to `word`, best first. Case does not count, and `-` equals `_`. */
export function nearest(word: string, candidates: Iterable<string>, tolerance: number = toleranceFor(word)): readonly string[] {
  if (word.length > 64) return [];
  const wanted = plain(word);
  const scored: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), tolerance);
    if (distance <= tolerance) scored.push({ candidate, distance });
  }
  return scored
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((entry) => entry.candidate);
}

/** `Did you mean 'effort'?`, or nothing when nothing is close. */
export function didYouMean(words: readonly string[]): string {
  if (words.length === 0) return "";
  return `Did you mean ${words.map((word) => `'${word}'`).join(" or ")}?`;
}
