/**
 * `pnpm check`: what CI runs, one line per step, all of a step's output when it fails. Goes on after a failure, so that one
 * run shows everything, and closes with `N passed, N failed, N skipped`.
 *
 * `pnpm check boundaries "unit tests"` runs only the named steps, `pnpm check --list` names them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performStep } from "./perform-step.mjs";
import { seconds } from "./run.mjs";
import { sideBySide } from "./side-by-side.mjs";
import { steps } from "./steps.mjs";

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
for (const group of sideBySide(steps.filter((one) => asked.length === 0 || asked.includes(one.name))))
  await Promise.all(
    group.map(async (lane) => {
      for (const step of lane) {
        if (process.stdout.isTTY) process.stdout.write(`\r· ${step.name}`);
        const result = await performStep(step, scratch);
        report(step, result);
        for (const key of /** @type {const} */ (["passed", "failed", "skipped"])) total[key] += result[key];
      }
    }),
  );
console.log(`\nin ${seconds(performance.now() - startedAt)}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** @param {import("./steps.mjs").Step} step @param {import("./perform-step.mjs").Result} result */
function report(step, result) {
  const mark = result.failed > 0 ? "✗" : result.passed > 0 ? "✓" : "-";
  const note = mark === "-" ? `skipped: ${result.note}` : result.note;
  console.log(
    `${process.stdout.isTTY ? "\r" : ""}${mark} ${step.name.padEnd(18)} ${seconds(result.durationMs).padStart(7)}  ${note}`.trimEnd(),
  );
  if (result.failed > 0) console.log(`${result.output.trimEnd()}\n`);
}
