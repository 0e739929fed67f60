/**
 * A change to published sources says in a changeset what its users will notice. Compares with the place where this branch
 * left main: `MASSGEN_BASE` names another one.
 */
import { execFileSync } from "node:child_process";
import { root } from "../scripts/run.mjs";
import { isMain } from "./is-main.mjs";

/** What is in a package a user installs; a README alone, a test or a tool changes nothing for them. */
const PUBLISHED = /^(?:packages|apps)\/[^/]+\/(?:src\/|package\.json$)/;
const CHANGESET = /^\.changeset\/(?!README)[^/]+\.md$/;

/**
 * @param {readonly string[]} changed files of the whole change
 * @returns {string | null} what is missing
 */
export function missingChangeset(changed) {
  const sources = changed.filter((path) => PUBLISHED.test(path));
  if (sources.length === 0 || changed.some((path) => CHANGESET.test(path))) return null;
  const [first, ...rest] = sources;
  return `${first}${rest.length === 0 ? "" : ` and ${rest.length} more`} changed without a changeset. Write one for the people who will notice: pnpm changeset`;
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** @returns {{ base: string } | { reason: string }} */
function whereItBegan() {
  const named = process.env["MASSGEN_BASE"];
  for (const ref of named === undefined ? ["origin/main", "main"] : [named]) {
    try {
      const base = git("merge-base", "HEAD", ref);
      if (base !== git("rev-parse", "HEAD")) return { base };
    } catch {
      // No such ref in this clone, or no common history; the next one may do.
    }
  }
  return { reason: named === undefined ? "no merge base: this is main itself, or a clone without it" : `no merge base with ${named}` };
}

if (isMain(import.meta.url)) {
  const start = whereItBegan();
  if ("reason" in start) console.log(`skipped: ${start.reason}`);
  else {
    const missing = missingChangeset(git("diff", "--name-only", start.base).split("\n"));
    console.log(`changeset: ${missing ?? `there, or not needed since ${start.base.slice(0, 7)}`}`);
    process.exitCode = missing === null ? 0 : 1;
  }
}
