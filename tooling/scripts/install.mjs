import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withProgress } from "./progress.mjs";
import { pnpm, root, run } from "./run.mjs";

const stampFile = join(root, "node_modules/.cache/massgen/installed");

/** Brings what package.json and the lock file name. Takes milliseconds when they have not changed since the last time. */
export async function install() {
  const stamp = whatIsWanted();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  const result = await withProgress("installing packages", () => run(pnpm("install", "--frozen-lockfile")));
  if (!result.ok) {
    console.error(result.output);
    console.error("The packages could not be installed. The first time needs a connection to an npm registry; behind a proxy, npm's own");
    console.error("settings apply (npm config get registry, HTTPS_PROXY). Then run the same command again.");
    process.exit(1);
  }
  mkdirSync(join(stampFile, ".."), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** A digest of every file that decides what gets installed. */
function whatIsWanted() {
  const manifests = ["packages", "apps", "tooling"].flatMap((group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => `${group}/${name}/package.json`) : [],
  );
  const hash = createHash("sha256");
  for (const path of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests.sort()]) {
    if (existsSync(join(root, path))) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}
