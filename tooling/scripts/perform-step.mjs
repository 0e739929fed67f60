import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";

/**
 * `note` is what a person reads beside the step: counts, or why it was skipped.
 *
 * @typedef {import("./steps.mjs").Step} Step
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {Counts & { note: string, output: string, durationMs: number }} Result
 */

/** @param {Step} step @param {string} scratch a folder for reports @returns {Promise<Result>} */
export async function performStep(step, scratch) {
  const report = join(scratch, `${step.name}.json`);
  const reporters = step.suite ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
  const { ok, output, durationMs } = await run([...step.command, ...reporters]);
  const lastLine = output.trimEnd().split("\n").at(-1) ?? "";
  if (step.suite) {
    const counts = countTests(report, ok);
    return { ...counts, note: `${counts.passed} passed${counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`}`, output, durationMs };
  }
  const skipped = ok && lastLine.startsWith("skipped: ");
  const note = skipped
    ? lastLine.slice("skipped: ".length)
    : lastLine.startsWith(`${step.name}: `)
      ? lastLine.slice(step.name.length + 2)
      : "";
  return { passed: ok && !skipped ? 1 : 0, failed: ok ? 0 : 1, skipped: skipped ? 1 : 0, note, output, durationMs };
}

/**
 * What Vitest counted. A run that failed without a failed test (a file that does not load, an error outside any test,
 * no test at all) has one failure.
 *
 * @param {string} path @param {boolean} ok @returns {Counts}
 */
function countTests(path, ok) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    const report = JSON.parse(readFileSync(path, "utf8"));
    counts.passed = report.numPassedTests;
    counts.failed = report.numFailedTests;
    counts.skipped = report.numPendingTests + report.numTodoTests;
  } catch {
    // Vitest died before it could write its report; `ok` is false then, and the output says why.
  }
  const nothingRan = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (!ok || nothingRan)) counts.failed = 1;
  return counts;
}
