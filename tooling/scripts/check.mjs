/**
 * `pnpm check`: what CI runs, one line per step, all of a step's output when it fails. Goes on after a failure, so that one
 * run shows everything, and closes with `N passed, N failed, N skipped`.
 *
 * `pnpm check boundaries "unit tests"` runs only the named steps, `pnpm check --list` names them.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, seconds } from "./run.mjs";
import { steps } from "./steps.mjs";

/**
 * @typedef {import("./steps.mjs").Step} Step
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {Counts & { note: string, output: string, durationMs: number }} Result
 */

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== "--list" && !steps.some((step) => step.name === name));
if (unknown.length > 0 || asked.includes("--list")) {
  for (const name of unknown) console.error(`There is no step "${name}".`);
  console.log(steps.map((step) => step.name).join("\n"));
  process.exit(unknown.length > 0 ? 2 : 0);
}

const scratch = mkdtempSync(join(tmpdir(), "massgen-check-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

const startedAt = performance.now();
const total = { passed: 0, failed: 0, skipped: 0 };
for (const step of steps.filter((one) => asked.length === 0 || asked.includes(one.name))) {
  if (process.stdout.isTTY) process.stdout.write(`· ${step.name}`);
  const result = await perform(step);
  report(step, result);
  for (const key of /** @type {const} */ (["passed", "failed", "skipped"])) total[key] += result[key];
}
console.log(`\nin ${seconds(performance.now() - startedAt)}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** @param {Step} step @returns {Promise<Result>} */
async function perform(step) {
  const reason = step.skip?.() ?? null;
  if (reason !== null) return { passed: 0, failed: 0, skipped: 1, note: reason, output: "", durationMs: 0 };
  const report = join(scratch, `${step.name}.json`);
  const reporters = step.suite ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
  const { ok, output, durationMs } = await run([...step.command, ...reporters], { env: step.env ?? {} });
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

/** @param {Step} step @param {Result} result */
function report(step, result) {
  const mark = result.failed > 0 ? "✗" : result.passed > 0 ? "✓" : "-";
  const note = mark === "-" ? `skipped: ${result.note}` : result.note;
  console.log(
    `${process.stdout.isTTY ? "\r" : ""}${mark} ${step.name.padEnd(18)} ${seconds(result.durationMs).padStart(7)}  ${note}`.trimEnd(),
  );
  if (result.failed > 0) console.log(`${result.output.trimEnd()}\n`);
}
