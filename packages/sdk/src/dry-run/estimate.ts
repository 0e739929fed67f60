/** From the least to the most; both ends count. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What work takes. `costUsd`: `null` when a price is unknown, which no sum with it becomes known again. */
export interface Estimate {
  readonly calls: Range;
  readonly inputTokens: Range;
  readonly outputTokens: Range;
  readonly costUsd: Range | null;
  readonly wallMs: Range;
}

const ZERO: Range = { low: 0, high: 0 };
const NOTHING: Estimate = { calls: ZERO, inputTokens: ZERO, outputTokens: ZERO, costUsd: ZERO, wallMs: ZERO };

export const sumOf = (estimates: readonly Estimate[]): Estimate => estimates.reduce(add, NOTHING);

export const add = (one: Estimate, other: Estimate): Estimate => ({
  calls: plus(one.calls, other.calls),
  inputTokens: plus(one.inputTokens, other.inputTokens),
  outputTokens: plus(one.outputTokens, other.outputTokens),
  costUsd: one.costUsd === null || other.costUsd === null ? null : plus(one.costUsd, other.costUsd),
  wallMs: plus(one.wallMs, other.wallMs),
});

/** The least of it as often as at least, the most of it as often as at most. */
export const times = (estimate: Estimate, count: Range): Estimate =>
  each(estimate, ({ low, high }) => ({ low: low * count.low, high: high * count.high }));

/** At best none of it. */
export const perhaps = (estimate: Estimate): Estimate => each(estimate, ({ high }) => ({ low: 0, high }));

/** The cheapest to the dearest of several of which one happens. */
export function oneOf(estimates: readonly Estimate[]): Estimate {
  const span = (of: (estimate: Estimate) => Range): Range => ({
    low: Math.min(...estimates.map((estimate) => of(estimate).low)),
    high: Math.max(...estimates.map((estimate) => of(estimate).high)),
  });
  return {
    calls: span(({ calls }) => calls),
    inputTokens: span(({ inputTokens }) => inputTokens),
    outputTokens: span(({ outputTokens }) => outputTokens),
    costUsd: estimates.some(({ costUsd }) => costUsd === null) ? null : span(({ costUsd }) => costUsd ?? ZERO),
    wallMs: span(({ wallMs }) => wallMs),
  };
}

export interface Limits {
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

/** Cut to limits; of tokens, input and output shrink alike. */
export function within(estimate: Estimate, limits: Limits): Estimate {
  const tokens = { low: 1, high: 1 };
  for (const end of ["low", "high"] as const) {
    const all = estimate.inputTokens[end] + estimate.outputTokens[end];
    if (limits.tokens !== null && all > limits.tokens) tokens[end] = limits.tokens / all;
  }
  return {
    ...estimate,
    calls: cut(estimate.calls, limits.calls),
    inputTokens: { low: estimate.inputTokens.low * tokens.low, high: estimate.inputTokens.high * tokens.high },
    outputTokens: { low: estimate.outputTokens.low * tokens.low, high: estimate.outputTokens.high * tokens.high },
    costUsd: estimate.costUsd === null ? null : cut(estimate.costUsd, limits.costUsd),
  };
}

const cut = ({ low, high }: Range, most: number | null): Range =>
  most === null ? { low, high } : { low: Math.min(low, most), high: Math.min(high, most) };

const plus = (one: Range, other: Range): Range => ({ low: one.low + other.low, high: one.high + other.high });

const each = (estimate: Estimate, change: (range: Range) => Range): Estimate => ({
  calls: change(estimate.calls),
  inputTokens: change(estimate.inputTokens),
  outputTokens: change(estimate.outputTokens),
  costUsd: estimate.costUsd === null ? null : change(estimate.costUsd),
  wallMs: change(estimate.wallMs),
});
