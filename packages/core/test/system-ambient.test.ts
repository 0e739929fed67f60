import { describe, expect, it } from "vitest";
import { seededRandom, systemAmbient } from "../src/index.js";

describe("this machine's time, ids and chance", () => {
  it("wakes after the given time, and at once when aborted", async () => {
    const { clock } = systemAmbient();
    const start = clock.monotonic();
    await clock.sleepUntil(start + 15, new AbortController().signal);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(start + 15);
    await clock.sleepUntil(start - 1, new AbortController().signal);
    await expect(clock.sleepUntil(start + 1e12, AbortSignal.abort("stop"))).rejects.toBe("stop");
    const controller = new AbortController();
    const sleeping = clock.sleepUntil(start + 1e12, controller.signal);
    controller.abort("woken");
    await expect(sleeping).rejects.toBe("woken");
  });

  it("gives runs and sessions their format, and never an id twice", () => {
    const { ids } = systemAmbient();
    expect(ids.next("run")).toMatch(/^\d{8}_\d{6}_[0-9a-z]{6}$/);
    expect(ids.next("session")).toMatch(/^session_\d{8}_\d{6}$/);
    const calls = Array.from({ length: 5000 }, () => ids.next("call"));
    expect(new Set(calls).size).toBe(5000);
    expect(calls[0]).toMatch(/^call_[0-9a-z]{7}$/);
  });

  it("draws the same numbers for the same seed", () => {
    const draw = (seed: number): readonly number[] => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7).every((value) => value >= 0 && value < 1)).toBe(true);
    expect(systemAmbient({ seed: 7 }).random()).toBe(draw(7)[0]);
  });
});
