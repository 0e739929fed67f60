import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fatal, transient } from "../src/failure.js";
import { readRetryAfter } from "../src/retry-after.js";
import { backoffDelayMs, defaultRetryLimits, noRetries, planRetry } from "../src/retry-plan.js";
import { describeWait } from "../src/wait.js";

const limits = defaultRetryLimits;

describe("backoffDelayMs", () => {
  it("doubles from one second to thirty, half of it left to chance", () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((n) => [backoffDelayMs(n, 0), backoffDelayMs(n, 1)])).toEqual([
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [4000, 8000],
      [8000, 16_000],
      [15_000, 30_000],
      [15_000, 30_000],
    ]);
  });

  it("never gets shorter from one retry to the next until it nears its cap, whatever chance says", () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(fc.property(fc.nat(3), chance, chance, (n, now, next) => backoffDelayMs(n + 1, next) >= backoffDelayMs(n, now)));
  });
});

describe("a backoff of the adapter's own", () => {
  const backoff = { firstMs: 2000, factor: 3, longestMs: 60_000, jitter: 0.2 };

  it("grows by its factor to its cap, and leaves its own share to chance", () => {
    expect([0, 1, 4].map((n) => [backoffDelayMs(n, 0, backoff), backoffDelayMs(n, 1, backoff)])).toEqual([
      [1600, 2000],
      [4800, 6000],
      [48_000, 60_000],
    ]);
  });

  it("is what a plan waits", () => {
    const plan = planRetry(transient("busy"), false, noRetries, { ...limits, backoff }, () => 0);
    expect(plan).toMatchObject({ again: true, waitMs: 1600 });
  });
});

describe("planRetry", () => {
  const asks = (retryAfterMs: number) => ({ ...transient("busy"), retryAfterMs });

  it("keeps a wait that was asked for to the millisecond, up to the limit", () => {
    expect(planRetry(asks(120_000), false, noRetries, limits, () => 0)).toMatchObject({ again: true, waitMs: 120_000 });
    expect(planRetry(asks(0), false, noRetries, limits, () => 0)).toMatchObject({ again: true, waitMs: 0 });
    expect(planRetry(asks(120_001), false, noRetries, limits, () => 0)).toMatchObject({
      again: false,
      failure: { kind: "backend_fatal", retryAfterMs: 120_001 },
    });
  });

  it.each([
    ["a request", false, { request: 2, incomplete: 0, repaired: 0 }, true],
    ["a request", false, { request: 3, incomplete: 0, repaired: 0 }, false],
    ["a stream", true, { request: 3, incomplete: 1, repaired: 0 }, true],
    ["a stream", true, { request: 0, incomplete: 2, repaired: 0 }, false],
  ])("counts %s (opened: %s) after %o: again %s", (_, opened, tally, again) => {
    expect(planRetry(transient("cut"), opened, tally, limits, () => 0).again).toBe(again);
  });

  it("never repeats what is final, and does not even draw a random number for it", () => {
    const plan = planRetry(fatal("no"), false, noRetries, limits, () => {
      throw new Error("drawn");
    });
    expect(plan.again).toBe(false);
  });
});

describe("readRetryAfter", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);
  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": " 7 " }, 7000],
    [{ "retry-after-ms": "1500" }, 1500],
    [{ "retry-after-ms": "1500", "retry-after": "60" }, 1500],
    [{ "retry-after-ms": "soon", "retry-after": "60" }, 60_000],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "" }, null],
    [{}, null],
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:03 GMT" }, 3999],
    [{ "retry-after": "Thu, 01 Jan 2026 11:59:00 GMT" }, 0],
    [{ "retry-after": "2026-01-01T12:00:10Z" }, 10_999],
    // The vendor's clock is an hour ahead; the wait is counted on it.
    [{ "retry-after": "Thu, 01 Jan 2026 13:00:03 GMT", date: "Thu, 01 Jan 2026 13:00:00 GMT" }, 3999],
  ])("%o gives %s", (headers, expected) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});

describe("describeWait", () => {
  it.each([
    [450, "450 ms"],
    [2000, "2 s"],
    [90_000, "1 min 30 s"],
    [7_200_000, "2 h"],
    [3_661_000, "1 h 1 min 1 s"],
  ])("%i is %s", (ms, text) => expect(describeWait(ms)).toBe(text));
});
