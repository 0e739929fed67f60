/**
 * What somebody outside gets: packs every package, installs the tarballs with npm into a fresh folder, and there
 * type-checks the examples against the published declarations, runs them, and runs the program; also with an adapter that
 * is packed like any stranger's and named in a config.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild";
import { root, run, tool } from "../scripts/run.mjs";
import { isMain } from "./is-main.mjs";
import { packAll } from "./pack-all.mjs";

/** Example → what it has to print. Written out, so that an example nobody expects anything of is a fault. @type {Record<string, RegExp>} */
const expected = {
  "hand-made-backend.ts": /^ada votes for agent1\.1: .*\nbob votes for agent1\.1: .*\nWrite through\.\n$/,
  "team-without-a-key.ts":
    /^completed: \w+ won with agent\d\.\d; \d+ requests\n[\s\S]*simulated final answer[\s\S]*\/final\/\w+\/answer\.txt\n$/,
};

/** Every tarball by its own name, for direct dependencies and for those between them. @param {readonly string[]} tarballs */
function manifestFor(tarballs) {
  const names = tarballs.map((path) => JSON.parse(execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" })).name);
  const files = Object.fromEntries(names.map((name, index) => [name, `file:${tarballs[index]}`]));
  return {
    name: "outside",
    private: true,
    type: "module",
    dependencies: files,
    overrides: Object.fromEntries(names.map((name) => [name, `$${name}`])),
  };
}

/** @param {string} destination @returns {string} the tarball */
function packStranger(destination) {
  const args = ["pack", "--silent", "--pack-destination", destination, join(root, "tooling/checks/stranger")];
  return join(destination, execFileSync("npm", args, { encoding: "utf8" }).trim());
}

/** @returns {Promise<{ folder: string, faults: string[] }>} */
async function installOutside() {
  const { tarballs } = await packAll();
  const folder = mkdtempSync(join(tmpdir(), "massgen-outside-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifestFor([...tarballs, packStranger(folder)]), null, 2));
  const { ok, output } = await run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder });
  return { folder, faults: ok ? [] : [`npm install:\n${output}`] };
}

/** Against the published declarations, those of our packages included. @param {string} folder @returns {Promise<string[]>} */
async function typeCheck(folder) {
  mkdirSync(join(folder, "examples"));
  for (const name of readdirSync(join(root, "examples")))
    writeFileSync(join(folder, "examples", name), readFileSync(join(root, "examples", name)));
  const options = {
    strict: true,
    noEmit: true,
    target: "es2023",
    module: "nodenext",
    lib: ["es2023", "dom", "dom.asynciterable"],
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["examples"] }));
  const { ok, output } = await run(tool("tsc", "-p", join(folder, "tsconfig.json"), "--pretty", "false"));
  return ok ? [] : [`types of the examples:\n${output}`];
}

/** A home of its own: a check leaves no sessions in the list of whoever runs it. @param {string} folder */
const homeIn = (folder) => ({ HOME: folder, USERPROFILE: folder });

/** @param {string} folder @param {string} name @returns {Promise<string[]>} */
async function runExample(folder, name) {
  const wanted = expected[name];
  if (wanted === undefined) return [`examples/${name}: tooling/checks/outside.mjs expects nothing of it`];
  const { code } = await transform(readFileSync(join(root, "examples", name), "utf8"), { loader: "ts", format: "esm" });
  const file = join(folder, name.replace(/\.ts$/, ".mjs"));
  writeFileSync(file, code);
  const { ok, output } = await run([process.execPath, file], { cwd: folder, env: homeIn(folder) });
  return ok && wanted.test(output) ? [] : [`examples/${name}: ${ok ? "printed something else" : "failed"}:\n${output}`];
}

/** @param {string} folder @returns {Promise<string[]>} */
async function runProgram(folder) {
  const { version } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"));
  const { ok, output } = await run([join(folder, "node_modules/.bin/massgen"), "--version"], { cwd: folder, env: homeIn(folder) });
  return ok && output.includes(version) ? [] : [`massgen --version, ${version} expected:\n${output}`];
}

const TEAM = `
agents:
  - { id: ada, backend: { type: "npm:massgen-stranger", model: ada-1, api_key: any-key-at-all, greeting: says hello } }
  - { id: bob, backend: { type: "npm:massgen-stranger", api_key: any-key-at-all, greeting: waves } }
`;

/** The program, with the stranger's adapter named in a config somewhere below. @param {string} folder @returns {Promise<string[]>} */
async function runStranger(folder) {
  const teams = join(folder, "teams");
  mkdirSync(teams);
  writeFileSync(join(teams, "strangers.yaml"), TEAM);
  const program = join(folder, "node_modules/.bin/massgen");
  const elsewhere = mkdtempSync(join(tmpdir(), "massgen-elsewhere-"));
  process.once("exit", () => rmSync(elsewhere, { recursive: true, force: true }));
  const { ok, output } = await run([program, "--config", join(teams, "strangers.yaml"), "Who is there?"], {
    cwd: elsewhere,
    env: homeIn(elsewhere),
  });
  return ok && output.includes("A stranger called ada-1 says hello.") ? [] : [`an adapter from outside, named in a config:\n${output}`];
}

if (isMain(import.meta.url)) {
  const { folder, faults } = await installOutside();
  const examples = Object.keys(expected);
  if (faults.length === 0) {
    faults.push(...(await typeCheck(folder)));
    for (const name of readdirSync(join(root, "examples")).filter((one) => one.endsWith(".ts")))
      faults.push(...(await runExample(folder, name)));
    faults.push(...(await runProgram(folder)));
    faults.push(...(await runStranger(folder)));
  }
  for (const fault of faults) console.log(fault);
  console.log(`outside examples: ${examples.length} examples, the program and an adapter from outside, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
