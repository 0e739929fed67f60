/** The value that `percent` of all are not above. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new RangeError("There is no percentile of nothing.");
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)]!;
}
