import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/** The file that a type stands for: a path from one of the folders, or a package installed at or above one; `null` when there is none. */
export function findModule(type: string, folders: readonly string[]): string | null {
  const find = /^\.{0,2}\//.test(type) ? findFile : findPackage;
  const name = type.replace(/^npm:/, "");
  for (const folder of folders) {
    const found = find(name, folder);
    if (found !== null) return found;
  }
  return null;
}

function findFile(path: string, folder: string): string | null {
  const found = resolve(folder, path);
  return existsSync(found) ? found : null;
}

function findPackage(name: string, folder: string): string | null {
  const { resolve } = createRequire(join(folder, "package.json"));
  try {
    const found = resolve(name);
    // A module of Node itself by that name is no package.
    return found === name ? null : found;
  } catch {
    return importOnly(name, resolve.paths(name) ?? []);
  }
}

/** A package that can be imported but not required: Node resolves those only from the file that imports. */
function importOnly(name: string, roots: readonly string[]): string | null {
  for (const root of roots) {
    const home = join(root, name);
    const manifest = join(home, "package.json");
    if (!existsSync(manifest)) continue;
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports?: unknown };
    const isMap = typeof exports === "object" && exports !== null && "." in exports;
    const target = targetOf(isMap ? exports["."] : exports);
    return target === null ? null : findFile(target, home);
  }
  return null;
}

const CONDITIONS = new Set(["import", "node", "module-sync", "default"]);

function targetOf(entry: unknown): string | null {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return null;
  for (const [condition, target] of Object.entries(entry)) {
    const found = CONDITIONS.has(condition) ? targetOf(target) : null;
    if (found !== null) return found;
  }
  return null;
}
