import type { BackendEvent, Usage } from "@massgen/contracts";
import { type TestAmbient, testAmbient } from "@massgen/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admit, type BreakerState, closedBreaker, judge, type Verdict } from "../src/breaker-states.js";
import {
  AttemptError,
  type AttemptEvent,
  type AttemptFailure,
  type BreakerRules,
  defaultBreakerRules,
  fatal,
  type Guard,
  openCircuit,
  runTurn,
  type TurnOptions,
  transient,
} from "../src/index.js";

const rules: BreakerRules = { ...defaultBreakerRules, maxFailures: 3, resetMs: 1000, maxBackoffMs: 5000, retryAfterThresholdMs: 10_000 };
const usage: Usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, reasoningTokens: 0, costUsd: null };
const piece: AttemptEvent = { type: "text_delta", text: "a" };
const end: AttemptEvent = {
  type: "turn_end",
  reason: "stop",
  message: { role: "assistant", parts: [{ type: "text", text: "a" }] },
  usage,
};

const reply = (status: number, retryAfterMs: number | null = null): AttemptFailure => ({
  ...transient(`status ${status}.`),
  status,
  retryAfterMs,
  retry: status === 429 || status >= 500 ? "backoff" : "never",
});
const fails = (failure: AttemptFailure) => (): Promise<never> => Promise.reject(new AttemptError(failure));
const answers = async (): Promise<AsyncIterable<AttemptEvent>> =>
  (async function* () {
    yield piece;
    yield end;
  })();

interface Bench {
  readonly ambient: TestAmbient;
  readonly guard: Guard;
}
const bench = (changed: Partial<BreakerRules> = {}): Bench => ({
  ambient: testAmbient(),
  guard: { circuit: openCircuit(), rules: { ...rules, ...changed } },
});

/** One turn, without retries unless told; the clock follows its pauses. Gives the message of its failure, or `answered`. */
async function ask({ ambient, guard }: Bench, attempt: TurnOptions["attempt"], options: Partial<TurnOptions> = {}) {
  const limits = { maxRetries: 0, maxIncompleteResponseRetries: 0 };
  const turn = runTurn({
    model: "m",
    who: "Vendor (m)",
    attempt,
    ambient,
    guard,
    limits,
    signal: new AbortController().signal,
    ...options,
  });
  let last: BackendEvent | null = null;
  for await (const event of turn) {
    last = event;
    if (event.type === "turn_retried" && event.waitMs > 0) void ambient.clock.settle().then(() => ambient.clock.advance(event.waitMs));
  }
  if (last?.type === "turn_end") return "answered";
  return last?.type === "turn_failed" ? last.failure.message : "nothing";
}

const isOpen = ({ guard }: Bench): boolean => guard.circuit.state.phase === "open";

describe("a circuit", () => {
  it("opens after failures in a row, refuses without asking and says until when, then lets one probe in", async () => {
    const one = bench();
    for (let count = 0; count < 3; count++) expect(await ask(one, fails(reply(503)))).toContain("status 503.");
    let asked = 0;
    const refused = await ask(one, () => {
      asked++;
      return answers();
    });
    expect([refused, asked]).toEqual([
      "The circuit breaker of Vendor (m) is open (failures in a row: 3): nothing is sent for 1 s (until 2026-01-01 00:00:01 UTC).",
      0,
    ]);
    await one.ambient.clock.advance(1000);
    expect([await ask(one, answers), await ask(one, answers)]).toEqual(["answered", "answered"]);
  });

  it("is for all who share it, whatever their own rules", async () => {
    const one = bench({ maxFailures: 1 });
    await ask(one, fails(reply(500)));
    expect(await ask({ ...one, guard: { ...one.guard, rules } }, answers)).toContain("is open");
  });

  it("ends the turn that opened it at once, with what went wrong and until when", async () => {
    const one = bench({ maxFailures: 2 });
    const message = await ask(one, fails(reply(500)), {
      limits: { maxRetries: 9, backoff: { firstMs: 10, factor: 1, longestMs: 10, jitter: 0 } },
    });
    expect(message).toBe(
      "status 500. The circuit breaker of Vendor (m) is open (failures in a row: 2): nothing is sent for 1 s (until 2026-01-01 00:00:01 UTC).",
    );
  });

  it("stays open longer with each probe that fails, up to a limit", async () => {
    const one = bench({ maxFailures: 1 });
    const openings: number[] = [];
    for (let count = 0; count < 5; count++) {
      await ask(one, fails(reply(500)));
      const waitMs = one.guard.circuit.state.until - one.ambient.clock.monotonic();
      openings.push(waitMs);
      await one.ambient.clock.advance(waitMs);
    }
    expect(openings).toEqual([1000, 2000, 4000, 5000, 5000]);
    await ask(one, answers);
    await ask(one, fails(reply(500)));
    expect(one.guard.circuit.state.until - one.ambient.clock.monotonic()).toBe(1000);
  });

  it.each<[string, AttemptFailure, boolean]>([
    ["500", reply(500), true],
    ["529", reply(529), true],
    ["a status that is not listed", reply(504), false],
    ["a failed connection", transient("The connection failed."), true],
    ["a wrong key", reply(401), false],
    ["a refused request", reply(400), false],
    ["a request that is repaired", { ...reply(500), retry: "repaired" }, false],
    ["what can never work", fatal("no"), false],
    ["429 with a short wait", reply(429, 10_000), false],
    ["429 with a long wait", reply(429, 10_001), true],
    ["429 without a wait", reply(429), true],
  ])("counts %s: %o → %s", async (_, failure, counts) => {
    const one = bench({ maxFailures: 1 });
    let count = 0;
    await ask(one, () => (count++ === 0 ? fails(failure)() : answers()));
    expect(isOpen(one)).toBe(counts);
  });

  it("a long wait opens it at once and for that time, whatever failed before", async () => {
    const one = bench();
    await ask(one, fails(reply(429, 60_000)));
    await one.ambient.clock.advance(59_999);
    expect(await ask(one, answers)).toBe(
      "The circuit breaker of Vendor (m) is open (it asked to be left alone): nothing is sent for 1 ms (until 2026-01-01 00:01:00 UTC).",
    );
    await one.ambient.clock.advance(1);
    expect(await ask(one, answers)).toBe("answered");
  });

  it("bears every wait up to its threshold", async () => {
    const one = bench({ retryAfterThresholdMs: 200_000 });
    let count = 0;
    const attempt: TurnOptions["attempt"] = () => (count++ === 0 ? fails(reply(429, 199_000))() : answers());
    expect(await ask(one, attempt, { limits: { maxRetries: 1 } })).toBe("answered");
  });

  it("counts streams that break off, and silence; not a turn that was cancelled", async () => {
    const broken = bench({ maxFailures: 1 });
    await ask(broken, async () =>
      (async function* () {
        yield piece;
      })(),
    );
    const silent = bench({ maxFailures: 1 });
    const asking = ask(silent, () => new Promise(() => {}), { limits: { maxIncompleteResponseRetries: 0, silenceMs: 100 } });
    await silent.ambient.clock.settle();
    await silent.ambient.clock.advance(100);
    await asking;
    const cancelled = bench({ maxFailures: 1 });
    const controller = new AbortController();
    const cancelling = ask(cancelled, () => new Promise(() => {}), { signal: controller.signal });
    await cancelled.ambient.clock.settle();
    controller.abort();
    await cancelling;
    expect([broken, silent, cancelled].map(isOpen)).toEqual([true, true, false]);
  });

  it("refuses all others while a probe is under way, and lets the next one in when that was cancelled", async () => {
    const one = bench({ maxFailures: 1 });
    await ask(one, fails(reply(500)));
    await one.ambient.clock.advance(1000);
    const controller = new AbortController();
    const probe = ask(one, () => new Promise(() => {}), { signal: controller.signal });
    await one.ambient.clock.settle();
    expect(await ask(one, answers)).toContain("one request is trying it now");
    controller.abort();
    await probe;
    expect(await ask(one, answers)).toBe("answered");
  });
});

it("a probe that streams lets others pass; when it then breaks off, one failure was enough", async () => {
  const one = bench();
  for (let count = 0; count < 3; count++) await ask(one, fails(reply(500)));
  await one.ambient.clock.advance(1000);
  let breakOff = (): void => {};
  const probe = ask(one, async () =>
    (async function* () {
      yield piece;
      await new Promise<void>((resolve) => {
        breakOff = resolve;
      });
    })(),
  );
  await one.ambient.clock.settle();
  let wasAsked = false;
  const controller = new AbortController();
  const other = ask(
    one,
    () => {
      wasAsked = true;
      return new Promise(() => {});
    },
    { signal: controller.signal },
  );
  await one.ambient.clock.settle();
  controller.abort();
  await other;
  breakOff();
  await probe;
  expect([wasAsked, isOpen(one)]).toEqual([true, true]);
});

describe("a request that was on its way when the circuit opened", () => {
  const opened = judge(closedBreaker, { is: "failed" }, 0, { ...rules, maxFailures: 1 }, 0);
  const probing = admit(opened, opened.until) ?? closedBreaker;
  const closedAgain = judge(probing, { is: "succeeded" }, probing.era, rules, opened.until);

  it.each<[string, BreakerState, Verdict]>([
    ["does not close it", opened, { is: "succeeded" }],
    ["does not pass for the probe", probing, { is: "succeeded" }],
    ["does not fail for the probe", probing, { is: "failed" }],
    ["does not count once it is closed again", closedAgain, { is: "failed" }],
  ])("%s", (_, state, verdict) => {
    expect(judge(state, verdict, closedBreaker.era, rules, 5000)).toBe(state);
  });

  it("still tells that the vendor bars everybody", () => {
    expect(judge(closedAgain, { is: "barred", waitMs: 700 }, closedBreaker.era, rules, 5000)).toMatchObject({ phase: "open", until: 5700 });
  });
});

describe("whatever happens", () => {
  const verdict: fc.Arbitrary<Verdict> = fc.oneof(
    fc.constantFrom<Verdict>({ is: "accepted" }, { is: "succeeded" }, { is: "failed" }, { is: "says_nothing" }),
    fc.record({ is: fc.constant("barred" as const), waitMs: fc.integer({ min: 1, max: 20_000 }) }),
  );
  const step = fc.record({ afterMs: fc.integer({ min: 0, max: 3000 }), asks: fc.boolean(), which: fc.nat(9), verdict });

  it("an open circuit lets nothing in before its time, one request at its time, and is never stuck", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state: BreakerState = closedBreaker;
        let now = 0;
        const running: number[] = [];
        for (const { afterMs, asks, which, verdict } of steps) {
          now += afterMs;
          if (asks) {
            const admitted = admit(state, now);
            expect(admitted !== null).toBe(state.phase === "closed" || (state.phase === "open" && now >= state.until));
            if (admitted !== null) running.push(admitted.era);
            state = admitted ?? state;
          } else if (running.length > 0) {
            const index = which % running.length;
            const before = state;
            state = judge(state, verdict, running[index] ?? 0, rules, now);
            if (before.phase === "open" && verdict.is !== "barred") expect(state).toBe(before);
            if (before.phase === "open") expect(state.until).toBeGreaterThanOrEqual(before.until);
            if (verdict.is !== "accepted") running.splice(index, 1);
          }
          expect(state.phase === "closed" && state.failures >= rules.maxFailures).toBe(false);
        }
        for (const era of running) state = judge(state, { is: "says_nothing" }, era, rules, now);
        expect(admit(state, Math.max(now, state.until))).not.toBeNull();
      }),
    );
  });
});
