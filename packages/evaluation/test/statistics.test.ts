import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairedDifference, wilsonInterval } from "../src/index.js";
import { exactMcNemar, tangoScore } from "../src/statistics/paired.js";

const Z = 1.959963984540054;

describe("Wilson's interval", () => {
  it("is what the literature gives", () => {
    // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for (const [successes, total, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilsonInterval(successes, total);
      expect(interval.low).toBeCloseTo(low, 4);
      expect(interval.high).toBeCloseTo(high, 4);
    }
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it("holds exactly the shares that a score test does not reject, found by looking at all of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 1, noNaN: true }), (total, share) => {
        const successes = Math.round(share * total);
        const { low, high } = wilsonInterval(successes, total);
        for (let step = 1; step < 500; step++) {
          const p = step / 500;
          const z = Math.abs(successes - total * p) / Math.sqrt(total * p * (1 - p));
          if (Math.abs(z - Z) > 1e-6) expect(p >= low && p <= high, `${successes} of ${total}, ${p}`).toBe(z < Z);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("McNemar's exact test", () => {
  it("is the sum over all ways the disagreements could have fallen", () => {
    for (let a = 0; a <= 9; a++)
      for (let b = 0; a + b <= 14; b++) {
        const trials = a + b;
        let extreme = 0;
        for (let way = 0; way < 2 ** trials; way++) {
          let ones = 0;
          for (let bit = way; bit > 0; bit &= bit - 1) ones += 1;
          if (Math.abs(ones - trials / 2) >= Math.abs(a - trials / 2)) extreme += 1;
        }
        expect(exactMcNemar(a, b), `${a} against ${b}`).toBeCloseTo(extreme / 2 ** trials, 10);
      }
  });

  it("does not lose itself in large numbers", () => {
    expect(exactMcNemar(600, 600)).toBe(1);
    const p = exactMcNemar(5000, 4800);
    expect(p).toBeGreaterThan(0.043);
    expect(p).toBeLessThan(0.047);
  });
});

/** Tango's score with the nuisance share found by climbing the likelihood, not by the formula. */
function slowScore(onlyFirst: number, onlySecond: number, total: number, delta: number): number {
  const logLikelihood = (share: number): number => {
    const [first, same] = [share + delta, 1 - 2 * share - delta];
    const part = (count: number, p: number): number => (count === 0 ? 0 : count * Math.log(p));
    return part(onlyFirst, first) + part(onlySecond, share) + part(total - onlyFirst - onlySecond, same);
  };
  let [low, high] = [Math.max(0, -delta), (1 - delta) / 2];
  for (let step = 0; step < 200; step++) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (logLikelihood(left) < logLikelihood(right)) low = left;
    else high = right;
  }
  const share = (low + high) / 2;
  return (onlyFirst - onlySecond - total * delta) / Math.sqrt(total * (2 * share + delta * (1 - delta)));
}

describe("the paired difference", () => {
  const counts = fc.record({ both: fc.nat(40), onlyFirst: fc.nat(20), onlySecond: fc.nat(20), neither: fc.nat(40) });

  it("scores as the likelihood says", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: -18, max: 18 }),
        (a, b, rest, twentieth) => {
          const [total, delta] = [a + b + rest, twentieth / 20];
          const [fast, slow] = [tangoScore(a, b, total, delta), slowScore(a, b, total, delta)];
          expect(Math.abs(fast - slow)).toBeLessThan(1e-3 * Math.max(1, Math.abs(slow)));
        },
      ),
    );
  });

  it("has an interval that holds exactly what the score does not reject", () => {
    fc.assert(
      fc.property(counts, (pair) => {
        const total = pair.both + pair.onlyFirst + pair.onlySecond + pair.neither;
        const found = pairedDifference(pair);
        if (found === null) return expect(total).toBe(0);
        for (let step = -99; step <= 99; step++) {
          const delta = step / 100;
          const score = Math.abs(tangoScore(pair.onlyFirst, pair.onlySecond, total, delta));
          if (Math.abs(score - Z) > 1e-6)
            expect(delta >= found.interval.low && delta <= found.interval.high, `${JSON.stringify(pair)} ${delta}`).toBe(score < Z);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("turns around with the two, and holds the difference itself", () => {
    fc.assert(
      fc.property(counts, (pair) => {
        const [there, back] = [
          pairedDifference(pair),
          pairedDifference({ ...pair, onlyFirst: pair.onlySecond, onlySecond: pair.onlyFirst }),
        ];
        if (there === null || back === null) return;
        expect(there.difference).toBeCloseTo(-back.difference, 12);
        expect(there.interval.low).toBeCloseTo(-back.interval.high, 9);
        expect(there.p).toBe(back.p);
        expect(there.interval.low).toBeLessThanOrEqual(there.difference);
        expect(there.interval.high).toBeGreaterThanOrEqual(there.difference);
        expect(there.p).toBeGreaterThan(0);
        expect(there.p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("keeps a width when the two never disagreed", () => {
    // Without a disagreement the interval is known in closed form.
    const edge = Z ** 2 / (20 + Z ** 2);
    const found = pairedDifference({ both: 18, onlyFirst: 0, onlySecond: 0, neither: 2 });
    expect(found).toMatchObject({ difference: 0, p: 1 });
    expect(found?.interval.low).toBeCloseTo(-edge, 9);
    expect(found?.interval.high).toBeCloseTo(edge, 9);
    expect(pairedDifference({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 })).toBeNull();
  });

  it("reaches the ends when one is always right and the other never", () => {
    const found = pairedDifference({ both: 0, onlyFirst: 12, onlySecond: 0, neither: 0 });
    expect(found).toMatchObject({ difference: 1, interval: { high: 1 } });
    expect(found?.interval.low).toBeGreaterThan(0.5);
  });
});
