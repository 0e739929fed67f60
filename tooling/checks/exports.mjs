/**
 * Adding a name to a package is a promise. `exports/<package>.txt` lists the names of every entry, so that a new, lost or
 * renamed one is seen in review. `--update` writes the lists anew.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readRepository } from "./boundaries/read-repository.mjs";
import { isMain } from "./is-main.mjs";

/** @typedef {import("./boundaries/read-repository.mjs").Package} Package */

const FOLDER = "tooling/checks/exports";

/** File name → content, for every package that others install and import. @param {string} root @returns {Map<string, string>} */
export function exportLists(root) {
  const published = readRepository(root).packages.filter((one) => one.manifest["private"] !== true);
  return new Map(published.flatMap((one) => (entries(one).length === 0 ? [] : [[`${one.short}.txt`, listOf(one)]])));
}

/** @param {Package} one */
function listOf(one) {
  return entries(one)
    .map(({ specifier, path }) => {
      const file = one.files.find((candidate) => candidate.path === path);
      return [`# ${specifier}`, ...[...(file?.exports ?? [])].sort(byName), ""].join("\n");
    })
    .join("\n");
}

/** @param {Package} one @returns {{ specifier: string, path: string }[]} */
function entries(one) {
  return Object.entries(one.manifest["exports"] ?? {}).flatMap(([subpath, entry]) => {
    const source = entry?.["@massgen/source"];
    return source === undefined ? [] : [{ specifier: one.name + subpath.slice(1), path: join(one.dir, source) }];
  });
}

/** Types and values of one name stand together. @param {string} a @param {string} b */
function byName(a, b) {
  const [left, right] = [a, b].map((name) => name.replace(/^type /, ""));
  return (left ?? "") < (right ?? "") ? -1 : 1;
}

/** @param {string} root @returns {string[]} what is different, one line each: `@massgen/core: + runQuickly` */
export function compareExports(root) {
  const was = new Set(readFolder(join(root, FOLDER)).flatMap(promises));
  const is = new Set([...exportLists(root).values()].flatMap(promises));
  return [
    ...minus(is, was).map(({ entry, name }) => `${entry}: + ${name}`),
    ...minus(was, is).map(({ entry, name }) => `${entry}: - ${name}`),
  ];
}

/** Every line of a list with the entry it stands under. @param {string} list */
function promises(list) {
  let entry = "";
  return list.split("\n").flatMap((line) => {
    if (line.startsWith("# ")) entry = line.slice(2);
    return line === "" || line.startsWith("# ") ? [] : [`${entry} ${line}`];
  });
}

/** @param {Set<string>} a @param {Set<string>} b @returns {{ entry: string, name: string }[]} */
const minus = (a, b) =>
  [...a].filter((one) => !b.has(one)).map((one) => ({ entry: one.slice(0, one.indexOf(" ")), name: one.slice(one.indexOf(" ") + 1) }));

/** @param {string} folder @returns {string[]} */
function readFolder(folder) {
  try {
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  } catch {
    return []; // No list was ever written; then everything is new.
  }
}

/** @param {string} root */
export function updateExports(root) {
  rmSync(join(root, FOLDER), { recursive: true, force: true });
  mkdirSync(join(root, FOLDER), { recursive: true });
  for (const [file, text] of exportLists(root)) writeFileSync(join(root, FOLDER, file), text);
}

if (isMain(import.meta.url)) {
  const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
  if (process.argv.includes("--update")) updateExports(root);
  const differences = compareExports(root);
  for (const line of differences) console.log(line);
  if (differences.length > 0) console.log("If that is meant: node tooling/checks/exports.mjs --update, and commit the lists.");
  const names = [...exportLists(root).values()].flatMap((text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
  console.log(`export lists: ${names.length} names, ${differences.length} differences`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
