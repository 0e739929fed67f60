import { describe, expect, it } from "vitest";
import { findDivergences } from "../src/cache/find-divergences.js";
import { mostCacheable } from "../src/cache/floor.js";
import { cachedShare } from "../src/cache/ours.js";
import { priceOfOneAgent } from "../src/cost/floor.js";
import { priceOf } from "../src/cost/ours.js";
import { figureOf } from "../src/harness/metric.js";
import { measureOverhead } from "../src/tokens/ours.js";
import { baseTokens, playStandardRun, STANDARD_QUESTION } from "../src/tokens/standard-run.js";

describe("tokens", { timeout: 60_000 }, () => {
  it("of the coordination alone are at most 900: tools and system message", async () => {
    expect(await baseTokens()).toBeLessThanOrEqual(900);
  });

  it("of a whole run are at most a tenth more than what the protocol must show", async () => {
    expect(figureOf(await measureOverhead("S = 2800", true, {}))).toBeLessThanOrEqual(1.1);
  });
});

describe("provider caches", { timeout: 60_000 }, () => {
  it.each([
    [3, 0.7, 5.3],
    [5, 0.75, 9.3],
    [10, 0.8, 23],
  ])("a team of %i on one model reads at least %f from the cache and costs at most %f times one agent", async (size, share, multiple) => {
    const { calls } = await playStandardRun(size, { models: "one" });
    expect(cachedShare(calls, "model")).toBeGreaterThanOrEqual(share);
    expect(cachedShare(calls, "model")).toBeLessThanOrEqual(mostCacheable(size));
    expect(priceOf(calls) / priceOfOneAgent).toBeLessThanOrEqual(multiple);
  });

  it("answers that stand in another order for each viewer are read anew by each", async () => {
    const { calls } = await playStandardRun(3, { models: "one", answerOrder: "rotate" });
    expect(cachedShare(calls, "model")).toBeLessThan(0.7);
  });

  it("an agent on a model of its own reads at least 0.40 of its input from its own earlier requests", async () => {
    const { calls } = await playStandardRun(3, { models: "own" });
    expect(cachedShare(calls, "agent")).toBeGreaterThanOrEqual(0.4);
  });

  it("successive prompts of an agent differ only after the original message, and after the answers that did not change", async () => {
    const { calls } = await playStandardRun(3, { models: "one", answers: 3 });
    const { pairs, ...before } = findDivergences(calls, STANDARD_QUESTION);
    expect(pairs).toBeGreaterThan(6);
    expect(before).toEqual({ beforeMessage: 0, beforeUnchangedAnswers: 0 });
  });

  it("tools are byte-identical in every request of a run, the presentation's too", async () => {
    const { calls } = await playStandardRun(3, { models: "own" });
    const tools = calls.map(({ body }) => JSON.stringify((body as { readonly tools: unknown }).tools));
    expect(new Set(tools).size).toBe(1);
  });
});
