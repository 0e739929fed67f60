import { MassgenError } from "@massgen/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listPrices, priceOf, readPriceFile, toPriceFile, withPrices } from "../src/index.js";

const about = { asOf: "2026-11-30", source: "https://prices.example/list.json" };
const list = {
  sample_spec: { input_cost_per_token: 0, output_cost_per_token: 0, mode: "chat" },
  "gpt-5-mini": {
    input_cost_per_token: 3e-7,
    output_cost_per_token: 0.0000025,
    cache_read_input_token_cost: 3e-8,
    mode: "chat",
    max_tokens: 9,
  },
  "New-Model": { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002, mode: "responses" },
  "embed-1": { input_cost_per_token: 1e-7, output_cost_per_token: 0, mode: "embedding" },
  "half-known": { input_cost_per_token: 1e-7, mode: "chat" },
};

describe("a public price list", () => {
  it("is kept as far as it has prices of models that chat, and read back the same", () => {
    const file = toPriceFile(list, about);
    expect(Object.keys(file?.models ?? {})).toEqual(["gpt-5-mini", "new-model"]);
    expect(readPriceFile(JSON.stringify(file), "prices.json")).toEqual({
      ...about,
      models: { "gpt-5-mini": { input: 0.3, output: 2.5, cachedInput: 0.03 }, "new-model": { input: 1, output: 2 } },
    });
  });

  it.each([[null], [[]], [{}], [{ a: { input_cost_per_token: -1, output_cost_per_token: 1 } }], ["x"]])("%j holds no price", (value) => {
    expect(toPriceFile(value, about)).toBeNull();
  });

  it("any price comes back as it was", () => {
    const price = fc.double({ min: 0, max: 0.01, noNaN: true }).map((value) => Number(value.toPrecision(6)));
    fc.assert(
      fc.property(price, price, (input, output) => {
        const file = toPriceFile({ m: { input_cost_per_token: input, output_cost_per_token: output } }, about);
        const read = readPriceFile(JSON.stringify(file), "f").models["m"];
        expect(read?.input).toBeCloseTo(input * 1_000_000, 9);
        expect(read?.output).toBeCloseTo(output * 1_000_000, 9);
      }),
    );
  });
});

describe("a price file", () => {
  it("wins over the built-in prices and leaves the others", () => {
    const table = withPrices(readPriceFile(JSON.stringify(toPriceFile(list, about)), "f"), listPrices);
    expect(priceOf("gpt-5-mini-2025-08-07", table)).toMatchObject({ input: 0.3 });
    expect(priceOf("new-model", table)).toMatchObject({ input: 1 });
    expect(priceOf("gpt-5", table)).toEqual(priceOf("gpt-5", listPrices));
    expect(table.asOf).toBe("2026-11-30");
  });

  it.each([
    ["{", "no JSON"],
    ["[]", "as_of, source and models"],
    ['{"as_of":"x","source":"y","models":{"m":{"input_cost_per_token":1}}}', '"m"'],
    ['{"as_of":"x","source":"y","models":{"m":{"input_cost_per_token":"1","output_cost_per_token":1}}}', '"m"'],
  ])("%s is refused with the place and the way out", (text, told) => {
    const error = (() => {
      try {
        return readPriceFile(text, "/home/me/.massgen/prices.json");
      } catch (caught) {
        return caught;
      }
    })();
    expect(MassgenError.is(error, "CONFIG_INVALID")).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining(told), hint: expect.stringContaining("--update-prices") });
  });
});
