import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { performStep } from "../perform-step.mjs";
import { run } from "../run.mjs";

/** A step that runs this JavaScript; `report` is where a suite writes what it counted. */
const perform = (script: string, more: { suite?: boolean } = {}) => {
  const scratch = mkdtempSync(join(tmpdir(), "massgen-step-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const report = `const report = process.argv.at(-1).split("=")[1]; const write = (counts) => require("node:fs").writeFileSync(report, JSON.stringify(counts));`;
  return performStep({ name: "sample", command: [process.execPath, "-e", `${report}\n${script}`, "--"], ...more }, scratch);
};
const counted = (passed: number, failed: number, pending: number) =>
  `write({ numPassedTests: ${passed}, numFailedTests: ${failed}, numPendingTests: ${pending}, numTodoTests: 0 });`;

describe("a step of the check", () => {
  it("counts as one, and its last line under its own name is the note", async () => {
    const result = await perform(`console.log("a\\nsample: 3 things");`);
    expect(result).toMatchObject({ passed: 1, failed: 0, skipped: 0, note: "3 things", output: "a\nsample: 3 things\n" });
  });

  it("fails with its exit code and keeps all it printed", async () => {
    const result = await perform(`console.log("out"); console.error("err"); process.exit(3);`);
    expect(result).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
    expect(result.output).toContain("out");
    expect(result.output).toContain("err");
  });

  it("fails when its program does not exist", async () => {
    const result = await performStep({ name: "sample", command: ["no-such-program-here"] }, tmpdir());
    expect(result).toMatchObject({ passed: 0, failed: 1 });
    expect(result.output).toContain("no-such-program-here could not be started");
  });

  it("is skipped by its own last line, with the reason, unless it failed", async () => {
    expect(await perform(`console.log("skipped: nothing to do")`)).toMatchObject({
      passed: 0,
      failed: 0,
      skipped: 1,
      note: "nothing to do",
    });
    expect(await perform(`console.log("skipped: but failed"); process.exit(1)`)).toMatchObject({ failed: 1, skipped: 0 });
  });

  it("has no input and no terminal, and tells nobody outside", async () => {
    const script = `console.log("sample: " + [process.stdin.isTTY, process.env.CI, process.env.DO_NOT_TRACK, process.env.NO_COLOR].join())`;
    expect((await perform(script)).note).toBe(",1,1,1");
  });
});

describe("a suite", () => {
  it("counts what its report counts", async () => {
    expect(await perform(counted(5, 0, 2), { suite: true })).toMatchObject({
      passed: 5,
      failed: 0,
      skipped: 2,
      note: "5 passed, 2 skipped",
    });
    expect(await perform(`${counted(5, 2, 0)} process.exitCode = 1`, { suite: true })).toMatchObject({ passed: 5, failed: 2 });
  });

  it.each([
    ["dies before it reports", "process.exit(1)"],
    ["fails outside any test", `${counted(5, 0, 0)} process.exitCode = 1`],
    ["ran no test", counted(0, 0, 0)],
  ])("has one failure when it %s", async (_, script) => {
    expect(await perform(script, { suite: true })).toMatchObject({ failed: 1 });
  });
});

describe("a command", () => {
  it("that is not done in time is stopped, also when what it started holds on to its output", async () => {
    const holdsOn = `require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 3000)"], { stdio: "inherit" }); console.log("begun"); setInterval(() => {}, 1000)`;
    const { ok, output, durationMs } = await run([process.execPath, "-e", holdsOn], { limitMs: 700 });
    expect(ok).toBe(false);
    expect(output).toMatch(/was stopped: it was not done after 0\.7 s/);
    expect(durationMs).toBeLessThan(2900);
  });
});
