/** Lines counted from 1, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** The same lines in as few ranges as possible, in order. */
export function joinRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: LineRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to + 1) joined.push(range);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return joined;
}

export const covers = (ranges: readonly LineRange[], wanted: LineRange): boolean =>
  joinRanges(ranges).some((range) => range.from <= wanted.from && wanted.to <= range.to);
