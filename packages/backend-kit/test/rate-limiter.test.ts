import type { BackendEvent } from "@massgen/contracts";
import { type TestAmbient, testAmbient } from "@massgen/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AttemptEvent, openRateLimiter, type RateLimiter, type RateLimits, runTurn } from "../src/index.js";
import { DAY_MS, enter, MINUTE_MS, noRequests, rateWait, settle } from "../src/rate-windows.js";

describe("the windows", () => {
  it("never hold more than the limits, whatever is asked when", () => {
    const limit = { rpm: fc.integer({ min: 1, max: 4 }), tpm: fc.integer({ min: 50, max: 200 }), rpd: fc.integer({ min: 3, max: 12 }) };
    const asked = fc.array(fc.record({ pauseMs: fc.integer({ min: 0, max: 40_000 }), tokens: fc.integer({ min: 0, max: 50 }) }));
    fc.assert(
      fc.property(fc.record(limit), asked, (limits, requests) => {
        let state = noRequests;
        let now = 0;
        const made: { at: number; tokens: number }[] = [];
        for (const { pauseMs, tokens } of requests) {
          now += pauseMs;
          const { waitMs, exhausted } = rateWait(state, limits, tokens, now);
          if (exhausted) continue;
          now += waitMs;
          expect(rateWait(state, limits, tokens, now).waitMs).toBe(0);
          state = enter(state, tokens, now);
          made.push({ at: now, tokens });
        }
        for (const { at } of made) {
          const within = (windowMs: number) => made.filter((other) => other.at >= at && other.at < at + windowMs);
          expect(within(MINUTE_MS).length).toBeLessThanOrEqual(limits.rpm);
          expect(within(DAY_MS).length).toBeLessThanOrEqual(limits.rpd);
          expect(within(MINUTE_MS).reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(limits.tpm);
        }
      }),
    );
  });

  it("count the real number once it is known", () => {
    const state = enter(noRequests, 10, 0);
    expect(rateWait(state, { tpm: 100 }, 50, 1000).waitMs).toBe(0);
    expect(rateWait(settle(state, 1, 90), { tpm: 100 }, 50, 1000).waitMs).toBe(59_000);
  });

  it("let a request that is larger than the limit pass when they are empty", () => {
    expect(rateWait(noRequests, { tpm: 100 }, 500, 0).waitMs).toBe(0);
    expect(rateWait(enter(noRequests, 1, 0), { tpm: 100 }, 500, 0).waitMs).toBe(MINUTE_MS);
  });
});

const end: AttemptEvent = {
  type: "turn_end",
  reason: "stop",
  message: { role: "assistant", parts: [] },
  usage: { inputTokens: 60, outputTokens: 30, cachedTokens: 0, reasoningTokens: 0, costUsd: null },
};

async function turn(limiter: RateLimiter, ambient: TestAmbient, signal = new AbortController().signal): Promise<readonly BackendEvent[]> {
  const events: BackendEvent[] = [];
  const attempt = async function* (): AsyncGenerator<AttemptEvent> {
    yield end;
  };
  const options = { model: "m", who: "V (m)", limiter, ambient, signal, request: { messages: [], tools: [] } };
  for await (const event of runTurn({ ...options, attempt: async () => attempt() })) events.push(event);
  return events;
}

describe("a turn", () => {
  const limited = (limits: RateLimits) => ({ limiter: openRateLimiter(limits), ambient: testAmbient() });

  it("waits until its request fits, and says so beforehand", async () => {
    const { limiter, ambient } = limited({ rpm: 1 });
    await turn(limiter, ambient);
    const second = turn(limiter, ambient);
    await ambient.clock.advance(60_000);
    expect(await second).toMatchObject([{ warnings: [expect.stringContaining("waits 1 min")] }, { type: "turn_end" }]);
    expect(limiter.state.entries.map(({ at }) => at - (limiter.state.entries[0]?.at ?? 0))).toEqual([0, 60_000]);
  });

  it("counts what the vendor counted", async () => {
    const { limiter, ambient } = limited({ tpm: 100 });
    await turn(limiter, ambient);
    expect(limiter.state.entries).toMatchObject([{ tokens: 90 }]);
  });

  it("counts what other processes asked in the last day, and says when it asks", async () => {
    const ambient = testAmbient();
    const wall = ambient.clock.now();
    const asked: number[] = [];
    const earlier = [wall - DAY_MS - 1, wall - 1000, wall - DAY_MS + 5000];
    const limiter = openRateLimiter({ rpd: 3 }, { earlier, onRequest: (at) => asked.push(at) });
    expect((await turn(limiter, ambient)).at(-1)).toMatchObject({ type: "turn_end" });
    expect(asked).toEqual([wall]);
    expect((await turn(limiter, ambient)).at(-1)).toMatchObject({ failure: { message: expect.stringContaining("5 s") } });
  });

  it("fails when the day is used up", async () => {
    const { limiter, ambient } = limited({ rpd: 1 });
    await turn(limiter, ambient);
    expect((await turn(limiter, ambient)).at(-1)).toMatchObject({
      type: "turn_failed",
      failure: { kind: "backend_fatal", message: expect.stringContaining("allows V (m) 1 requests a day") },
    });
  });

  it("can be cancelled while it waits, and leaves its place to the next", async () => {
    const { limiter, ambient } = limited({ rpm: 1 });
    await turn(limiter, ambient);
    const stop = new AbortController();
    const cancelled = turn(limiter, ambient, stop.signal);
    const next = turn(limiter, ambient);
    stop.abort();
    expect((await cancelled).at(-1)).toMatchObject({ type: "turn_failed" });
    await ambient.clock.advance(60_000);
    expect((await next).at(-1)).toMatchObject({ type: "turn_end" });
    expect(limiter.state.entries).toHaveLength(2);
  });
});
