import { pnpm, script, tool } from "./run.mjs";

/**
 * One line of `pnpm check`. `suite` steps report their tests through Vitest's JSON file; any other step counts as one.
 * Neighbours with a `lane` run side by side, those of one lane one after the other.
 * A step that exits with 0 and closes with `skipped: why` is skipped.
 *
 * @typedef {{ name: string, command: readonly string[], suite?: boolean, lane?: string }} Step
 */

/** Quick ones first; from `build` on in the order in which they need each other. @type {readonly Step[]} */
export const steps = [
  { name: "format and lint", command: tool("biome", "check", "--error-on-warnings", "--max-diagnostics=100", ".") },
  { name: "boundaries", command: script("tooling/checks/boundaries.mjs") },
  { name: "export lists", command: script("tooling/checks/exports.mjs") },
  { name: "changeset", command: script("tooling/checks/changeset.mjs") },
  { name: "build", command: pnpm("exec", "turbo", "run", "build", "--output-logs=errors-only") },
  { name: "types of tests", command: tool("tsc", "-p", "tooling/tsconfig/tests.json") },
  // .oxlintrc.json: promises nobody waits for, cases nobody handles. Reads the declarations of other packages, so after the build.
  { name: "lint with types", command: tool("oxlint", "--type-aware", "--format=unix", "packages", "apps", "tooling", "examples") },
  { name: "unused code", command: tool("knip", "--no-progress") },
  { name: "unit tests", command: tool("vitest", "run", "--project=unit"), suite: true },
  { name: "e2e tests", command: tool("vitest", "run", "--project=e2e"), suite: true },
  { name: "published files", lane: "packages", command: script("tooling/checks/published.mjs") },
  { name: "snippets", lane: "packages", command: script("tooling/checks/snippets.mjs") },
  { name: "edge bundles", lane: "packages", command: script("tooling/checks/edge-bundles.mjs") },
  { name: "outside examples", lane: "packages", command: script("tooling/checks/outside.mjs") },
  { name: "configs", lane: "packages", command: script("tooling/checks/configs.mjs") },
  // Built, as users run it: what tests run from the sources costs half as much again. It waits for most of its time.
  { name: "benchmarks", lane: "benchmarks", command: script("tooling/bench/dist/main.js", "--quick") },
];
