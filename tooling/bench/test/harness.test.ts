import { countTokens } from "@massgen/simulator";
import { describe, expect, it } from "vitest";
import { figuresOf } from "../src/coord/figures.js";
import { cachedTokensOf } from "../src/fake-vendor/cached-tokens.js";
import type { Call } from "../src/fake-vendor/call-log.js";
import { commonPrefixLength } from "../src/fake-vendor/prefix.js";
import { writeProse } from "../src/fake-vendor/prose.js";
import type { WireCall } from "../src/fake-vendor/virtual-vendor.js";
import { comparePairs, measurePairs, median } from "../src/harness/measure-pairs.js";
import { counted, type Metric, verdictOf } from "../src/harness/metric.js";
import { formatComparison, formatTable } from "../src/harness/report.js";
import { costOfNode, runNode } from "../src/harness/run-process.js";
import { isWanted, selectBenchmarks } from "../src/harness/select.js";

describe("pairs", () => {
  it("are taken in turn, after warm-ups that do not count", async () => {
    const order: string[] = [];
    const take = (name: string) => () => Promise.resolve(order.push(name));
    const pairs = await measurePairs(take("a"), take("b"), { pairs: 2, warmUps: 1 });
    expect(order.join("")).toBe("ababab");
    expect(pairs).toEqual({ ours: [3, 5], floor: [4, 6] });
  });

  it("give the median of the pairwise ratios, not the ratio of the medians", () => {
    const figures = comparePairs({ ours: [10, 20, 90], floor: [10, 10, 30] }, (value) => value);
    expect(figures).toEqual({ ours: 20, floor: 10, ratio: 2, min: 1, max: 3, pairs: 3 });
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("targets", () => {
  const metric = (ours: number, changes: Partial<Metric> = {}): Metric => ({
    ...counted({ bench: "b", metric: "m", unit: "" }, { ours, floor: 100 }, { must: 1.1, aim: 1 }),
    ...changes,
  });

  it.each<[number, Partial<Metric>, string]>([
    [100, {}, "aim"],
    [100.04, {}, "aim"],
    [110, {}, "must"],
    [111, {}, "missed"],
    [111, { must: null, aim: null }, "no target"],
    [111, { must: null }, "no target"],
    [90, { judged: "ours", better: "higher", must: 80, aim: 95 }, "must"],
    [79, { judged: "ours", better: "higher", must: 80, aim: 95 }, "missed"],
    [103, { judged: "difference", must: 4, aim: 2 }, "must"],
  ])("%f with %o is %s", (ours, changes, verdict) => {
    expect(verdictOf(metric(ours, changes))).toBe(verdict);
  });
});

describe("the report", () => {
  const results = [
    counted({ bench: "coord.3x1", metric: "calls", unit: "" }, { ours: 9, floor: 7 }, { must: 1 }),
    { bench: "size", skipped: "it is not built" },
  ];

  it("names what was missed and what was skipped", () => {
    expect(formatTable(results)).toMatchInlineSnapshot(`
      "figure             ours  floor  ratio  min–max  must  aim
      coord.3x1 · calls     9      7  1.286             ≤1       MISSED

      size: skipped, it is not built"
    `);
  });

  it("compares with what was before", () => {
    const before = [counted({ bench: "coord.3x1", metric: "calls", unit: "" }, { ours: 7, floor: 7 })];
    expect(formatComparison(results, before)).toBe("coord.3x1 · calls: 1 → 1.286  × 1.286");
  });

  it("selects families and single figures", () => {
    const all = [{ name: "coord" }, { name: "size" }].map((part) => ({
      ...part,
      kind: "counted" as const,
      run: () => Promise.resolve([]),
    }));
    expect(selectBenchmarks(all, ["coord.3x1"]).map(({ name }) => name)).toEqual(["coord"]);
    expect(selectBenchmarks(all, [])).toEqual(all);
    expect(() => selectBenchmarks(all, ["cord"])).toThrow("There is no benchmark cord. There are: coord, size.");
    expect([isWanted("coord.3x1", []), isWanted("coord.3x1", ["coord"]), isWanted("coord.3x1", ["coord.3x1"])]).toEqual([true, true, true]);
    expect(isWanted("coord.3x1", ["coord.3", "size"])).toBe(false);
  });
});

describe("processes", () => {
  it("are timed from outside and read their cost themselves", async () => {
    const cost = await costOfNode({ args: ["-e", "0"] });
    expect(cost.cpuMs).toBeGreaterThan(1);
    expect(cost.peakRssMiB).toBeGreaterThan(10);
    expect((await runNode({ args: ["-p", "1 + 1"] })).stdout).toBe("2\n");
  });

  it("reject with what they said when they end otherwise than expected", async () => {
    await expect(runNode({ args: ["-e", "console.error('no'); process.exit(3)"] })).rejects.toThrow(/ended with 3 instead of 0.\nno/);
    await expect(runNode({ args: ["-e", "process.exit(1)"], expectedExitCode: 1 })).resolves.toMatchObject({ stdout: "" });
  });
});

describe("the fake vendor's measures", () => {
  it("write prose of exactly as many tokens as asked for, different for each salt", () => {
    for (let count = 8; count < 3000; count += 37) expect(countTokens(writeProse(count, `answer 1 of ${count}`))).toBe(count);
    expect(commonPrefixLength(writeProse(600, "answer 1 of 1"), writeProse(600, "answer 1 of 2"))).toBeLessThan(20);
  });

  it("count as cached what an earlier request began with, from 1024 tokens on", () => {
    const call = (agent: string, model: string, prompt: string): WireCall => ({
      agent,
      model,
      prompt,
      body: null,
      inputTokens: 0,
      outputTokens: 0,
      step: { does: "stall" },
      startedAtMs: 0,
      endedAtMs: 0,
      ended: "whole",
    });
    const long = writeProse(2000, "shared");
    const calls = [
      call("a", "m", `${long}. one`),
      call("b", "m", `${long}. two`),
      call("a", "m", "short. one"),
      call("a", "n", `${long}. one`),
      call("a", "m", "short. two"),
    ];
    expect(cachedTokensOf(calls, "model").map((tokens) => Math.round(tokens / 100))).toEqual([0, 20, 0, 0, 0]);
    expect(cachedTokensOf(calls, "agent").map((tokens) => Math.round(tokens / 100))).toEqual([0, 0, 0, 20, 0]);
  });

  it("end also when a call took no time", () => {
    const refused: Call = { agent: "a", step: { does: "fail", status: 429, afterMs: 0 }, startedAtMs: 0, endedAtMs: 0, ended: "failed" };
    expect(
      figuresOf([refused, { ...refused, agent: "b" }, { ...refused, startedAtMs: 5, endedAtMs: 9 }], [], { pathMs: 9, calls: 3 }),
    ).toMatchObject({ idleMs: 5 });
  });

  it("call waste what was cancelled or voided, and idle what nobody worked in", () => {
    const call = (
      agent: string,
      does: "answer" | "vote" | "text",
      startedAtMs: number,
      endedAtMs: number,
      ended: Call["ended"] = "whole",
    ): Call => ({
      agent,
      startedAtMs,
      endedAtMs,
      ended,
      step: does === "vote" ? { does, tokens: 1, target: "agent1" } : { does, tokens: 1, text: `${agent}${startedAtMs}` },
    });
    const calls = [
      call("a", "answer", 0, 100),
      call("b", "vote", 0, 50),
      call("b", "vote", 110, 150),
      call("a", "vote", 100, 120, "cancelled"),
      call("a", "text", 200, 300),
    ];
    const facts = [
      { type: "vote_cast", agent: "b" },
      { type: "answer_submitted", content: "a0" },
      { type: "vote_cast", agent: "b" },
      { type: "presentation_finished", fallback: null },
    ] as never;
    expect(figuresOf(calls, facts, { pathMs: 240, calls: 4 })).toEqual({
      calls: 5,
      pathMs: 300,
      path: 1.25,
      callRatio: 1.25,
      waste: 70 / 310,
      idleMs: 60,
      refusals: 0,
    });
  });
});
