import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

describe("massgen replay", { timeout: 60_000 }, () => {
  it("runs a recorded run again, and tells the story of one without a record", async () => {
    const { out: run } = await bench.run(["demo", "--record", "--automation"]);
    const again = await bench.run(["replay", "latest"]);
    expect(again).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^The engine made the same \d+ records again/) });
    await rm(join(lineOf(run, "LOG_DIR"), "llm_calls.jsonl"));
    const story = await bench.run(["replay", lineOf(run, "LOG_DIR")]);
    expect(story).toMatchObject({ code: 0, err: expect.stringContaining("no record of its calls") });
    expect(story.out).toMatch(/0\.0 s {2}3 agents .* work on: /);
    expect(story.out).toContain("wins");
  });

  it("needs a log", async () => {
    expect(await bench.run(["replay"])).toMatchObject({ code: 2 });
    expect(await bench.run(["replay", "nowhere"])).toMatchObject({ code: 1 });
  });
});
