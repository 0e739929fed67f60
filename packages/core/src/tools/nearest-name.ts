/**
 * The known name most like `name`, or `null` when none is close enough to be meant: at most a third of its letters apart.
 * Case counts for nothing; ties fall to the earlier name.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= Math.max(1, Math.floor(candidate.length / 3)) && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, distance };
  }
  return best?.name ?? null;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let distance = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost);
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) distance = Math.min(distance, before[column - 2]! + 1);
      current.push(distance);
    }
    before = previous;
    previous = current;
  }
  return previous[to.length]!;
}
