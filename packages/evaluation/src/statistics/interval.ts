/** Both ends belong to it. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 %. */
export const Z_95 = 1.959963984540054;

/**
 * 95 % interval of a proportion by Wilson's score: honest for few questions and near 0 and 1, where the textbook one is not.
 * Without any question everything is possible.
 */
export function wilsonInterval(successes: number, total: number): Interval {
  if (total === 0) return { low: 0, high: 1 };
  const z2 = Z_95 ** 2;
  const share = successes / total;
  const center = (share + z2 / (2 * total)) / (1 + z2 / total);
  const half = (Z_95 / (1 + z2 / total)) * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total ** 2));
  // Rounding must not leave 0 and 1 outside where they are the estimate.
  return { low: successes === 0 ? 0 : Math.max(0, center - half), high: successes === total ? 1 : Math.min(1, center + half) };
}
