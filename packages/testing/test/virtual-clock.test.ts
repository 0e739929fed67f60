import { runVirtual, virtualClock } from "@massgen/testing";
import { describe, expect, it } from "vitest";

const never = new AbortController().signal;

describe("virtualClock", () => {
  it("stands still until it is moved", async () => {
    const clock = virtualClock(1_000_000);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000_000, 0]);
    await clock.advance(1500);
    expect([clock.now(), clock.monotonic()]).toEqual([1_001_500, 1500]);
  });

  it("wakes sleepers by time, and those of one time in the order in which they lay down", async () => {
    const clock = virtualClock();
    const woken: string[] = [];
    const sleep = (name: string, at: number) => clock.sleepUntil(at, never).then(() => woken.push(`${name}@${clock.monotonic()}`));
    const all = [sleep("late", 30), sleep("a", 20), sleep("early", 10), sleep("b", 20)];
    await clock.advance(100);
    await Promise.all(all);
    expect(woken).toEqual(["early@10", "a@20", "b@20", "late@30"]);
  });

  it("lets a sleeper that wakes sleep again within the same advance", async () => {
    const clock = virtualClock();
    const seen: number[] = [];
    const work = (async () => {
      for (let i = 0; i < 3; i++) {
        await clock.sleepUntil(clock.monotonic() + 10, never);
        seen.push(clock.monotonic());
      }
    })();
    await clock.advance(25);
    expect(seen).toEqual([10, 20]);
    await clock.advance(5);
    expect(seen).toEqual([10, 20, 30]);
    await work;
  });

  it("returns at once from a sleep that is over already", async () => {
    const clock = virtualClock();
    await clock.advance(10);
    await clock.sleepUntil(10, never);
    await clock.sleepUntil(3, never);
    expect(clock.sleepers()).toEqual([]);
  });

  it("rejects with the signal's reason, at once when it is aborted already", async () => {
    const clock = virtualClock();
    await expect(clock.sleepUntil(10, AbortSignal.abort("before"))).rejects.toBe("before");
    const stop = new AbortController();
    const sleep = clock.sleepUntil(10, stop.signal);
    expect(clock.sleepers()).toEqual([10]);
    stop.abort("during");
    await expect(sleep).rejects.toBe("during");
    expect(clock.sleepers()).toEqual([]);
    expect(clock.monotonic()).toBe(0);
  });
});

describe("runVirtual", () => {
  it("spends hours in no time and gives the result", async () => {
    const clock = virtualClock();
    const work = async (): Promise<number> => {
      for (let minute = 0; minute < 600; minute++) await clock.sleepUntil(clock.monotonic() + 60_000, never);
      return clock.monotonic();
    };
    expect(await runVirtual(clock, work())).toBe(36_000_000);
  });

  it("passes a rejection on", async () => {
    const clock = virtualClock();
    const work = clock.sleepUntil(5, never).then(() => Promise.reject(new Error("broke at 5")));
    await expect(runVirtual(clock, work)).rejects.toThrow("broke at 5");
  });

  it("does not pass the time while held work runs", async () => {
    const clock = virtualClock();
    const order: string[] = [];
    const timer = clock.sleepUntil(10, never).then(() => order.push("timer"));
    const real = clock.hold(new Promise<void>((resolve) => setTimeout(resolve, 5))).then(() => order.push(`real at ${clock.monotonic()}`));
    await runVirtual(clock, Promise.all([timer, real]));
    expect(order).toEqual(["real at 0", "timer"]);
  });

  it("says so when nothing can ever move again", async () => {
    await expect(runVirtual(virtualClock(), new Promise(() => {}), { maxIdleRounds: 5 })).rejects.toThrow(/stuck at 0 ms/);
  });

  it("ends work that would go on for ever", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const ticking = async (): Promise<void> => {
      while (!stop.signal.aborted) await clock.sleepUntil(clock.monotonic() + 1000, never);
    };
    await expect(runVirtual(clock, ticking(), { maxMs: 10_000 })).rejects.toThrow("taken 10000 ms of its time");
    stop.abort();
    await clock.advance(1000);
  });

  it("is deterministic: concurrent workers interleave the same way every time", async () => {
    const once = async (): Promise<string> => {
      const clock = virtualClock();
      let log = "";
      const worker = async (name: string, everyMs: number): Promise<void> => {
        for (let i = 0; i < 20; i++) {
          await clock.sleepUntil(clock.monotonic() + everyMs, never);
          log += name;
        }
      };
      await runVirtual(clock, Promise.all([worker("a", 3), worker("b", 5), worker("c", 15)]));
      return log;
    };
    expect(await once()).toBe(await once());
  });
});
