/**
 * `pnpm create-backend <name> [folder]`: writes the package of a new adapter, `packages/backend-<name>` unless a folder is
 * named. It speaks Chat Completions until somebody changes it, and passes the conformance suite from the first minute.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isMain } from "../checks/is-main.mjs";
import { root } from "../scripts/run.mjs";

const template = fileURLToPath(new URL("./template/", import.meta.url));

/**
 * Throws an error for people when the name is none or the folder is taken; an existing file is never touched.
 *
 * @param {string} name lower case letters, digits and single dashes: `my-vendor`
 * @param {string} folder absolute
 * @returns {readonly string[]} the files, from the folder
 */
export function createBackend(name, folder) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error(`"${name}" is no name for an adapter. Use lower case letters, digits and single dashes: my-vendor`);
  if (existsSync(folder)) throw new Error(`${folder} exists already. Take another name, or another folder.`);
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(template, join(entry.parentPath, entry.name)));
  for (const file of files) {
    const target = join(folder, targetOf(file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, renamed(readFileSync(join(template, file), "utf8"), name));
  }
  return files.map(targetOf).sort();
}

/** Its paths fit only where the package goes, so no tool may take it for a project here. @param {string} file */
const targetOf = (file) => (file === "tsconfig.template.json" ? "tsconfig.json" : file);

/** @param {string} text @param {string} name */
function renamed(text, name) {
  const title = name
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
  return text.replaceAll("PARROT", name.replaceAll("-", "_").toUpperCase()).replaceAll("Parrot", title).replaceAll("parrot", name);
}

/** @param {string} folder */
const nextSteps = (folder) => `Wrote ${folder}. Now:
  1. pnpm install
  2. npx vitest run ${folder}      it passes
  3. a row for it in tooling/checks/boundaries/arrows.mjs, its folder in the root tsconfig.json, pnpm exports:update
  4. the TODOs in its sources, then its tests; npx biome check --write ${folder}
CONTRIBUTING.md, "Adding an adapter", says the rest.`;

if (isMain(import.meta.url)) {
  const [name = "", place = join("packages", `backend-${name}`)] = process.argv.slice(2);
  try {
    createBackend(name, resolve(root, place));
    console.log(nextSteps(place));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
