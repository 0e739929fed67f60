import { createSimulatedTeam } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const TEAM = ["ada", "bob", "cleo"];

describe("orchestrator.budget", () => {
  it("EC77: ends the run with the best answer and exit code 5; status, screen and record say what was used", async () => {
    const simulator = await bench.simulate({ respond: createSimulatedTeam({ models: TEAM.map((id) => `${id}-model`) }) });
    await bench.write("team.yaml", teamYaml(simulator, TEAM, "orchestrator: {budget: {max_llm_calls: 5}}\n"));
    const { code, out } = await bench.run(["--automation", "--config", "team.yaml", "Why?"]);
    expect(code).toBe(5);
    expect(simulator.requests.length).toBeLessThanOrEqual(4);
    expect(lineOf(out, "ANSWER_FILE")).toContain("answer.txt");
    expect(await readJson(lineOf(out, "STATUS"))).toMatchObject({
      finish_reason: "budget",
      costs: { budget: { max_llm_calls: 5, used: { calls: simulator.requests.length }, is_used_up: true } },
    });
    const plain = await bench.run(["--no-display", "--config", "team.yaml", "Why?"]);
    expect(plain.code).toBe(5);
    expect(plain.out).toContain("budget: 5 calls");
    expect(plain.out).toContain("no room for another request");
    expect(plain.out).toMatch(/4 of 5 calls/);
  });
});
