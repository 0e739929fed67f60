import { readFileSync } from "node:fs";
import type { ModelPrice } from "@massgen/backend-kit";
import { describe, expect, it } from "vitest";
import { begin, end, event, text } from "./stream-text.js";
import { ended, openBench } from "./turns.js";

interface Row {
  readonly n: number;
  readonly pricesPerMillion: { readonly input: number; readonly output: number; readonly cacheWrite: number; readonly cacheRead: number };
  readonly usage: Record<string, number> | readonly Record<string, number>[];
  readonly cost: number;
  readonly totalInput?: number;
}
const rows: readonly Row[] = JSON.parse(readFileSync(new URL("fixtures/costs.json", import.meta.url), "utf8"));

const bench = async (stream: string, price?: ModelPrice) =>
  (
    await openBench(
      [{ text: stream }],
      price === undefined ? {} : { prices: { asOf: "2026-01-01", source: "test", models: { "replay-model": price } } },
    )
  ).turn();

describe("usage (docs/spec/backends.md 11.8)", () => {
  it.each(rows)(
    "CO-03 row $n costs $cost",
    async ({ pricesPerMillion: { input, output, cacheWrite, cacheRead }, usage, cost, totalInput }) => {
      const [first, ...later] = Array.isArray(usage) ? usage : [{ ...usage, output_tokens: 1 }, usage];
      const deltas = later.map((counts) => event("message_delta", { delta: { stop_reason: "end_turn" }, usage: counts })).join("");
      const turn = await bench(begin(first) + text(0, "Said.") + deltas + event("message_stop"), {
        input,
        output,
        cachedInput: cacheRead,
        cacheWrite,
      });
      const counted = ended(turn).usage;
      expect(counted?.costUsd).toBeCloseTo(cost, 6);
      expect(counted).not.toHaveProperty("estimated");
      if (totalInput !== undefined) expect(counted).toMatchObject({ inputTokens: totalInput, cachedTokens: 50_000 });
    },
  );

  it("thoughts are a part of the output", async () => {
    const turn = await bench(
      begin() + text(0, "x") + end("end_turn", { output_tokens: 90, output_tokens_details: { thinking_tokens: 70 } }),
    );
    expect(ended(turn).usage).toMatchObject({ outputTokens: 90, reasoningTokens: 70, costUsd: null });
  });

  it("a gateway that sends nothing in the place of a number takes none away", async () => {
    const turn = await bench(
      begin({ input_tokens: 31, cache_read_input_tokens: 9 }) + text(0, "x") + end("end_turn", { input_tokens: 0, output_tokens: 4 }),
    );
    expect(ended(turn).usage).toMatchObject({ inputTokens: 40, cachedTokens: 9, outputTokens: 4 });
  });

  it("output that nobody counted is estimated, and says so", async () => {
    const turn = await bench(begin() + text(0, "one two three four") + end("end_turn", null));
    expect(ended(turn).usage).toMatchObject({ inputTokens: 31, estimated: true });
    expect(ended(turn).usage!.outputTokens).toBeGreaterThan(2);
  });
});
