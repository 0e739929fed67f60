import { type Script, scriptedTeam, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

/** The second agent is the slower one, so that what comes first is no chance. */
const LATER = { firstTokenMs: 250, tokensPerSecond: 0 };

const answered: Script = {
  "ada-model": [step.answer("Use LRU."), step.vote("agent1", "Mine is simple."), step.text("Use LRU, in short.")],
  "bob-model": [step.answer("Use LFU.", LATER), step.vote("agent1", "Simpler.", LATER)],
};
const sentBack: Script = {
  "ada-model": [
    ...answered["ada-model"]!,
    step.tool("restart_orchestration", { reason: "Invalidation is missing.", instructions: "Cover invalidation." }),
    step.answer("Use LRU and invalidate."),
    step.vote("agent1", "Complete."),
    step.text("Use LRU and invalidate."),
  ],
  "bob-model": [...answered["bob-model"]!, step.answer("Use ARC.", LATER), step.vote("agent1", "Complete.", LATER)],
};
const failing = [step.fail(401), step.fail(401)];

const cases: readonly (readonly [name: string, script: Script, config: string, code: number, reason: string])[] = [
  ["success", answered, "", 0, "completed"],
  ["restart", sentBack, "orchestrator: {coordination: {max_orchestration_restarts: 1}}\n", 0, "completed"],
  ["timeout", { ...answered, "bob-model": [step.stall()] }, "timeout_settings: {orchestrator_timeout_seconds: 2}\n", 3, "timeout"],
  [
    "timeout-without-answer",
    { "ada-model": [step.stall()], "bob-model": [step.stall()] },
    "timeout_settings: {orchestrator_timeout_seconds: 1}\n",
    3,
    "timeout",
  ],
  ["all-failed", { "ada-model": failing, "bob-model": failing }, "", 2, "error"],
  ["budget", answered, "orchestrator: {budget: {max_llm_calls: 3}}\n", 5, "budget"],
];

/** What differs from run to run, by name. */
const normalised = (text: string): string =>
  text
    .replaceAll(bench.folder, "<FOLDER>")
    .replaceAll(/log_\d{8}_\d{6}_\d{6}/g, "<LOG>")
    .replaceAll(/\b\d+\.\ds\b/g, "<TIME>")
    .replaceAll(/req_simulated_\d+/g, "<REQUEST>")
    .replaceAll(/127\.0\.0\.1:\d+/g, "<SERVER>");

describe("the contract of automation mode, by the program as it ships", () => {
  it.each(cases)("%s", async (name, script, config, code, reason) => {
    const simulator = await bench.simulate({ respond: scriptedTeam(script) });
    await bench.write("team.yaml", teamYaml(simulator, ["ada", "bob"], config));
    const run = await bench.run(["--automation", "--config", "team.yaml", "Which cache\npolicy?"]);
    const text = `exit ${run.code}\n--- stdout\n${run.out}--- stderr\n${run.err}`;
    await expect(normalised(text)).toMatchFileSnapshot(`../golden/contract-${name}.txt`);
    expect(run.code).toBe(code);
    const status = await readJson<{ readonly finish_reason: string; readonly is_complete: boolean }>(lineOf(run.out, "STATUS"));
    expect([status.finish_reason, status.is_complete]).toEqual([reason, true]);
  });

  it("interrupted", async () => {
    const simulator = await bench.simulate({ respond: scriptedTeam({ ...answered, "bob-model": [step.stall()] }) });
    await bench.write("team.yaml", teamYaml(simulator, ["ada", "bob"]));
    const { child, ended, says } = bench.massgen(["--automation", "--config", "team.yaml", "Which cache policy?"]);
    await says("[Coordination in progress");
    await expect.poll(() => simulator.requests.length).toBeGreaterThan(1);
    child.kill("SIGTERM");
    const run = await ended;
    expect([run.code, run.err]).toEqual([4, "INTERRUPTED\n"]);
    expect(await readJson(lineOf(run.out, "STATUS"))).toMatchObject({ finish_reason: "cancelled", is_complete: true });
  });
});
