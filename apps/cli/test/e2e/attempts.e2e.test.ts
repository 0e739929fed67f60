import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readRunLog } from "@massgen/sdk";
import { type Step, scriptedTeam, step } from "@massgen/simulator";
import { emptyRunView, foldRecord } from "@massgen/views";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const TEAM = ["ada", "bob"];
const sendBack = step.tool("restart_orchestration", { reason: "Invalidation is missing.", instructions: "Cover invalidation." });

/** Ada answers, wins, presents, and is not content with it. */
const firstAttempt: readonly Step[] = [step.answer("Use LRU."), step.vote("agent1", "Mine."), step.text("The first result."), sendBack];
const secondAttempt: readonly Step[] = [
  step.answer("Use LRU, invalidate."),
  step.vote("agent1", "Better."),
  step.text("The second result."),
];
const bob: readonly Step[] = [
  step.answer("Use LFU."),
  step.vote("agent1", "Clear."),
  step.answer("Use ARC."),
  step.vote("agent1", "Clear."),
];

const RESTARTS = "orchestrator:\n  coordination: {max_orchestration_restarts: 1}\n";

async function team(adas: readonly Step[], bobs: readonly Step[] = bob): Promise<void> {
  const simulator = await bench.simulate({ respond: scriptedTeam({ "ada-model": adas, "bob-model": bobs }) });
  await bench.write("team.yaml", teamYaml(simulator, TEAM, RESTARTS));
}

describe("a result that is judged", () => {
  it("EC58: sends the team back once, says so, and keeps both attempts apart", async () => {
    await team([...firstAttempt, ...secondAttempt]);
    const { code, out, err } = await bench.run(["--automation", "--config", "team.yaml", "Which cache policy?"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(lineOf(out, "RESTART")).toBe("Attempt 2/2");
    const log = lineOf(out, "LOG_DIR");
    expect((await readdir(log)).sort()).toEqual(["attempt_1", "attempt_2", "final", "index.json", "status.json"]);
    expect(lineOf(out, "ANSWER_FILE")).toBe(join(log, "final", "ada", "answer.txt"));
    expect(await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).toBe("The second result.");
    expect(await readFile(join(log, "attempt_1", "final", "ada", "answer.txt"), "utf8")).toBe("The first result.");
    expect(await readJson(lineOf(out, "STATUS"))).toMatchObject({ is_complete: true, meta: { attempt: 2, max_attempts: 2 } });
    expect((await readRunLog(log)).reduce(foldRecord, emptyRunView).state).toMatchObject({ attempt: 2, finalAnswer: "The second result." });
  });

  it("is told to people with what was wrong, and where the decision of the last attempt stands", async () => {
    await team([...firstAttempt, ...secondAttempt]);
    const { out } = await bench.run(["--no-display", "--config", "team.yaml", "Which cache policy?"]);
    expect(out).toContain("is not content with the final answer");
    expect(out).toContain("Invalidation is missing.");
    expect(out).toContain("attempt 2 of 2 begins");
    expect(out).toContain("11 model calls");
    expect(out).toMatch(/decision {2}\S+attempt_2\/decision\.md/);
  });

  it("EC59: a second attempt that fails completely leaves the first result, and exit code 2", async () => {
    const failing = [step.fail(401), step.fail(401)];
    await team([...firstAttempt, ...failing], [...bob.slice(0, 2), ...failing]);
    const { code, out } = await bench.run(["--automation", "--config", "team.yaml", "Which cache policy?"]);
    expect(code).toBe(2);
    expect(await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).toBe("The first result.");
    expect(lineOf(out, "WINNER")).toBe("ada");
  });

  it("EC65: goes on after a kill in the second attempt", async () => {
    // From then on the stand-ins do what they are asked, whichever request the kill cuts off.
    await team(firstAttempt, bob.slice(0, 2));
    const { child, ended } = bench.massgen(["--stream-events", "--config", "team.yaml", "Which cache policy?"]);
    child.stdout?.on("data", (text: string) => {
      if (text.includes("attempt_restart")) child.kill("SIGKILL");
    });
    await ended;
    const { code, out, err } = await bench.run(["--automation", "--resume", "latest"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const records = await readRunLog(lineOf(out, "LOG_DIR"));
    expect(records.filter(({ type }) => type === "attempt_restarted")).toHaveLength(1);
    expect(records.filter(({ type }) => type === "run_resumed")).toHaveLength(1);
    expect(await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).toContain("Scripted final text");
  });
});
