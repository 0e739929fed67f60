import type { Usage } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { costUsd, estimateRequestTokens, estimateTokens, findModel, listPrices, mergeUsage, noUsage, priceOf } from "../src/index.js";

const usage = (fields: Partial<Usage>): Usage => ({ ...noUsage, ...fields });

describe("mergeUsage", () => {
  it("adds up, and is nothing for nobody", () => {
    expect(
      mergeUsage(usage({ inputTokens: 1, cachedTokens: 1, costUsd: 0.5 }), usage({ inputTokens: 2, outputTokens: 3, costUsd: 0.25 })),
    ).toEqual(usage({ inputTokens: 3, outputTokens: 3, cachedTokens: 1, costUsd: 0.75 }));
    expect(mergeUsage()).toEqual(noUsage);
  });

  it("an unknown cost makes the sum unknown, an estimate makes it an estimate", () => {
    expect(mergeUsage(usage({ costUsd: 1 }), usage({ costUsd: null }), usage({ estimated: true }))).toMatchObject({
      costUsd: null,
      estimated: true,
    });
    expect(mergeUsage(usage({}))).not.toHaveProperty("estimated");
  });
});

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["word", 2],
    ["The tide is out at 06:12.", 8],
    ["大きい箱", 4],
    ["x".repeat(400), 51],
  ])("%j is %i", (text, tokens) => expect(estimateTokens(text)).toBe(tokens));

  it("counts every text of a request, and no media", () => {
    const tools = [{ name: "t", description: "", input: {} }];
    expect(
      estimateRequestTokens([{ role: "user", parts: [{ type: "media", mediaType: "image/png", data: new Uint8Array(9000) }] }], []),
    ).toBe(0);
    expect(
      estimateRequestTokens(
        [
          { role: "system", text: "word" },
          { role: "user", parts: [{ type: "text", text: "word" }] },
        ],
        tools,
      ),
    ).toBe(4 + estimateTokens(JSON.stringify(tools)));
  });
});

describe("costUsd (CO-03)", () => {
  it.each([
    ["cached input", { inputTokens: 10_000, cachedTokens: 8000, outputTokens: 1000 }, { input: 2, cachedInput: 0.5, output: 8 }, 0.016],
    [
      "reasoning is inside the output",
      { inputTokens: 10_000, cachedTokens: 0, outputTokens: 1000 },
      { input: 2, cachedInput: 0.5, output: 8 },
      0.028,
    ],
    [
      "cache reads and writes",
      { inputTokens: 53_000, cachedTokens: 50_000, cacheWriteTokens: 2000, outputTokens: 400 },
      { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
      0.0315,
    ],
    [
      "cache prices nobody names",
      { inputTokens: 53_000, cachedTokens: 50_000, cacheWriteTokens: 2000, outputTokens: 400 },
      { input: 3, output: 15 },
      0.0315,
    ],
    ["more cached than there was", { inputTokens: 10, cachedTokens: 20, outputTokens: 0 }, { input: 1, cachedInput: 0, output: 1 }, 0],
  ])("%s", (_, tokens, price, cost) => expect(costUsd(tokens, price)).toBeCloseTo(cost, 9));

  it("an unknown price is no price, never zero", () =>
    expect(costUsd({ inputTokens: 1, cachedTokens: 0, outputTokens: 1 }, null)).toBeNull());
});

describe("priceOf", () => {
  it.each([
    ["gpt-5", "gpt-5"],
    ["GPT-5", "gpt-5"],
    ["openai/gpt-5-mini", "gpt-5-mini"],
    ["gpt-4o-2024-11-20", "gpt-4o"],
    ["gpt-5-latest", "gpt-5"],
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["gpt-5-4", "gpt-5.4"],
  ])("%s has the price of %s", (model, known) => expect(priceOf(model, listPrices)).toBe(listPrices.models[known]));

  it.each(["gpt-5-pro", "gpt-5-mini-high", "replay-model", "", "gpt", "claude-sonnet-4-50"])("%s is unknown", (model) =>
    expect(priceOf(model, listPrices)).toBeNull(),
  );

  it("other tables are read the same way", () => expect(findModel("openai/gpt-4o-2024-11-20", { "gpt-4o": 1 })).toBe(1));

  it("a name that every object has is no model", () =>
    expect([priceOf("constructor", listPrices), priceOf("toString", listPrices)]).toEqual([null, null]));

  it("the table says when and where it was read", () => {
    expect(listPrices.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(listPrices.source).not.toBe("");
  });
});
