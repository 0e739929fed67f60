import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

/** Any request beyond loopback would go to this address and fail. */
const NO_NETWORK = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" };

describe("massgen demo", () => {
  it("needs no key and no network, says everywhere that it is simulated, and shows what a run is", async () => {
    const { code, out, err } = await bench.run(["demo"], { env: NO_NETWORK });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^0:00 simulated: no model was asked/);
    for (const saying of [
      "answer agent1.1",
      "better answer",
      "are void",
      "votes for",
      "wins.",
      "would have taken",
      "Final answer",
      "logs ",
    ])
      expect(out).toContain(saying);
    expect(out.match(/simulated/gi)?.length).toBeGreaterThan(2);
  });

  it("answers in seconds", async () => {
    const { code, out } = await bench.run(["demo", "--automation"], { env: NO_NETWORK });
    expect(code).toBe(0);
    expect(Number.parseFloat(lineOf(out, "DURATION"))).toBeLessThan(20); // four on an idle machine; tests share theirs
    expect(lineOf(out, "SIMULATED")).toContain("no model was asked");
    expect(await readJson(lineOf(out, "STATUS"))).toMatchObject({ finish_reason: "completed", meta: { simulated: true } });
  });

  it("takes a question of one's own and says plainly what its answers are", async () => {
    const { code, out } = await bench.run(["demo", "What should a cache forget first?"], { env: NO_NETWORK });
    expect(code).toBe(0);
    expect(out).toContain("What should a cache forget first?");
    expect(out).toMatch(/no model was asked/);
  });

  it("does not wait for standard input, and ignores keys in the environment", async () => {
    const { child, ended } = bench.massgen(["demo", "--automation"], { env: { ...NO_NETWORK, OPENAI_API_KEY: "sk-not-to-be-used-1234" } });
    const { code } = await ended;
    expect(code).toBe(0);
    expect(child.exitCode).toBe(0);
  });
});
