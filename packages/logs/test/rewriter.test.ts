import { describe, expect, it } from "vitest";
import { createRewriter } from "../src/rewriter.js";

function watched(minIntervalMs: number, maxIntervalMs?: number) {
  const state = { now: 0, writes: [] as number[], release: () => {} };
  let blocked = false;
  const rewriter = createRewriter({
    minIntervalMs,
    ...(maxIntervalMs === undefined ? {} : { maxIntervalMs }),
    monotonic: () => state.now,
    write: () => {
      state.writes.push(state.now);
      return blocked ? new Promise((resolve) => (state.release = resolve)) : Promise.resolve();
    },
  });
  const at = async (ms: number, act: () => void): Promise<void> => {
    state.now = ms;
    act();
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const block = (isBlocked: boolean): void => {
    blocked = isBlocked;
    if (!isBlocked) state.release();
  };
  return { state, rewriter, at, block };
}

describe("a file that is kept up to date", () => {
  it("is written at once after a pause, and at most once per interval", async () => {
    const { state, rewriter, at } = watched(500);
    await at(1_000, rewriter.changed);
    for (let ms = 1_010; ms < 1_500; ms += 10) await at(ms, rewriter.changed);
    await at(1_500, rewriter.tick);
    await at(2_000, rewriter.tick);
    expect(state.writes).toEqual([1_000, 1_500]);
  });

  it("is not written when nothing changed, unless readers want to see that the run lives", async () => {
    const quiet = watched(500);
    for (let ms = 0; ms <= 10_000; ms += 500) await quiet.at(ms, quiet.rewriter.tick);
    expect(quiet.state.writes).toEqual([]);
    const alive = watched(500, 2_000);
    for (let ms = 0; ms <= 8_000; ms += 500) await alive.at(ms, alive.rewriter.tick);
    expect(alive.state.writes).toEqual([0, 2_000, 4_000, 6_000, 8_000]);
  });

  it("is written at once when it must be", async () => {
    const { state, rewriter, at } = watched(500);
    await at(0, rewriter.changed);
    await at(10, () => void rewriter.now());
    expect(state.writes).toEqual([0, 10]);
  });

  it("collects no queue when the disk is slower than the changes", async () => {
    const { state, rewriter, at, block } = watched(500, 2_000);
    block(true);
    for (let ms = 0; ms <= 20_000; ms += 500) await at(ms, rewriter.changed);
    expect(state.writes).toEqual([0]);
    await at(20_400, () => block(false));
    await at(20_500, rewriter.tick);
    expect(state.writes).toEqual([0, 20_500]);
  });

  it("a run of ten minutes at 500 tokens a second writes it at most every 500 ms", async () => {
    const { state, rewriter, at } = watched(500, 2_000);
    for (let ms = 0; ms <= 600_000; ms += 100) await at(ms, ms % 500 === 0 ? rewriter.tick : rewriter.changed);
    expect(state.writes.length).toBeLessThanOrEqual(600_000 / 500 + 1);
    for (const [place, ms] of state.writes.entries()) if (place > 0) expect(ms - state.writes[place - 1]!).toBeGreaterThanOrEqual(500);
  });
});
