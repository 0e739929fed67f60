import { type Interval, Z_95 } from "./interval.js";

/** How two contenders fared on the same questions. */
export interface PairCounts {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

export interface PairedDifference {
  /** Accuracy of the first less that of the second, on the questions both were graded on: from -1 to 1. */
  readonly difference: number;
  /** 95 %, by Tango's score. */
  readonly interval: Interval;
  /** Exact McNemar test, two-sided: how often chance alone would set them apart at least this far. */
  readonly p: number;
}

/** `null` without any question in common. */
export function pairedDifference(counts: PairCounts): PairedDifference | null {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const total = both + onlyFirst + onlySecond + neither;
  if (total === 0) return null;
  return {
    difference: (onlyFirst - onlySecond) / total,
    interval: tangoInterval(onlyFirst, onlySecond, total),
    p: exactMcNemar(onlyFirst, onlySecond),
  };
}

/** Two-sided p of `a` against `b` when each is as likely: twice the smaller tail, at most 1. */
export function exactMcNemar(a: number, b: number): number {
  const trials = a + b;
  const few = Math.min(a, b);
  let logTerm = -trials * Math.LN2;
  let tail = 0;
  for (let count = 0; count <= few; count++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(trials - count) - Math.log(count + 1);
  }
  return Math.min(1, 2 * tail);
}

/**
 * The differences that Tango's score test does not reject at 5 %. Unlike an interval from resampling it keeps a width when
 * the two never disagreed, and it is the same every time.
 */
function tangoInterval(onlyFirst: number, onlySecond: number, total: number): Interval {
  const difference = (onlyFirst - onlySecond) / total;
  const isWithin = (delta: number): boolean => Math.abs(tangoScore(onlyFirst, onlySecond, total, delta)) <= Z_95;
  return { low: edge(-1, difference, isWithin), high: edge(1, difference, isWithin) };
}

/** Standard deviations between what was seen and a true difference of `delta`. */
export function tangoScore(onlyFirst: number, onlySecond: number, total: number, delta: number): number {
  const gap = onlyFirst - onlySecond - total * delta;
  if (gap === 0) return 0;
  // The likeliest share of "only the second was right" if `delta` were true: the larger root of a quadratic.
  const a = 2 * total;
  const b = -onlyFirst - onlySecond + (2 * total - onlyFirst + onlySecond) * delta;
  const c = -onlySecond * delta * (1 - delta);
  const share = (Math.sqrt(Math.max(0, b * b - 4 * a * c)) - b) / (2 * a);
  const variance = total * (2 * share + delta * (1 - delta));
  return variance <= 0 ? Math.sign(gap) * Number.POSITIVE_INFINITY : gap / Math.sqrt(variance);
}

/** Where `isWithin` begins between a bound outside and the estimate inside, halved until numbers cannot tell. */
function edge(bound: number, estimate: number, isWithin: (delta: number) => boolean): number {
  if (bound === estimate || isWithin(bound)) return bound;
  let [outside, inside] = [bound, estimate];
  for (let step = 0; step < 60; step++) {
    const middle = (outside + inside) / 2;
    if (isWithin(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
