import { countingIds, seededRandom, testAmbient } from "@massgen/testing";
import { describe, expect, it } from "vitest";

describe("seededRandom", () => {
  it("draws the same numbers for the same seed, others for another", () => {
    const draw = (seed: number): readonly number[] => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it("spreads evenly over [0, 1)", () => {
    const random = seededRandom(1);
    const draws = Array.from({ length: 10_000 }, random);
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    expect(draws.reduce((sum, draw) => sum + draw, 0) / draws.length).toBeCloseTo(0.5, 1);
  });
});

describe("countingIds", () => {
  it("counts each kind on its own", () => {
    const ids = countingIds();
    expect([ids.next("call"), ids.next("job"), ids.next("call")]).toEqual(["call_000001", "job_000001", "call_000002"]);
    expect(ids.next("run")).toMatch(/^\d{8}_\d{6}_[0-9a-z]{6}$/);
    expect([ids.next("session"), ids.next("session")]).toEqual(["session_20260101_000000", "session_20260101_000000_2"]);
  });
});

describe("testAmbient", () => {
  it("has no network unless it is given one", async () => {
    await expect(testAmbient().fetch("https://vendor.test/v1")).rejects.toThrow("https://vendor.test/v1");
    const { fetch } = testAmbient({ fetch: () => Promise.resolve(new Response("yes")) });
    expect(await (await fetch("https://vendor.test")).text()).toBe("yes");
  });
});
