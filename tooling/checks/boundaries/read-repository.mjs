import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { readModule } from "./read-module.mjs";

/**
 * Everything the rules look at, read once. Paths are relative to the root, with `/`.
 *
 * @typedef {import("./read-module.mjs").Module & { readonly path: string, readonly role: "source" | "test", readonly broken: string | null }} SourceFile
 * @typedef {{ readonly [field: string]: any }} Manifest the parsed package.json
 * @typedef {{ readonly dir: string, readonly short: string, readonly name: string, readonly manifest: Manifest, readonly references: readonly string[], readonly files: readonly SourceFile[] }} Package
 * @typedef {{ readonly root: string, readonly manifest: Manifest, readonly packages: readonly Package[] }} Repository
 */

const CODE = /\.(?:ts|tsx|mts)$/;
const GROUPS = ["packages", "apps", "tooling"];
const NOT_OURS = new Set(["node_modules", "dist", "fixtures", "recordings", "golden", "coverage"]);

/** @param {string} root @returns {Repository} */
export function readRepository(root) {
  const dirs = GROUPS.flatMap((group) => folders(join(root, group)).map((name) => `${group}/${name}`));
  const packages = dirs.filter((dir) => existsSync(join(root, dir, "package.json"))).map((dir) => readPackage(root, dir));
  return { root, manifest: readJson(join(root, "package.json")), packages };
}

/** @param {string} root @param {string} dir @returns {Package} */
function readPackage(root, dir) {
  const manifest = readJson(join(root, dir, "package.json"));
  const tsconfig = join(root, dir, "tsconfig.json");
  /** @type {{ path: string }[]} */
  const references = existsSync(tsconfig) ? (readJson(tsconfig)["references"] ?? []) : [];
  const read = (/** @type {string} */ folder, /** @type {SourceFile["role"]} */ role) =>
    walk(root, posix.join(dir, folder))
      .filter((path) => CODE.test(path))
      .map((path) => ({ ...readFile(root, path), path, role }));
  return {
    dir,
    short: posix.basename(dir),
    name: manifest["name"],
    manifest,
    references: references.map((one) => posix.join(dir, one.path)),
    files: [...read("src", "source"), ...read("test", "test")],
  };
}

/** A file that cannot be read says nothing, and says so. @param {string} root @param {string} path */
function readFile(root, path) {
  try {
    return { ...readModule(readFileSync(join(root, path), "utf8"), path), broken: null };
  } catch (error) {
    if (error instanceof SyntaxError) return { imports: [], uses: [], exports: [], broken: error.message };
    throw error;
  }
}

/** @param {string} root @param {string} dir @returns {string[]} */
export function walk(root, dir) {
  if (!existsSync(join(root, dir))) return [];
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(dir, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : walk(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** @param {string} dir */
function folders(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** @param {string} path @returns {any} */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
