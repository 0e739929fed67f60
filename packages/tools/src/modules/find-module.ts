import { readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const PACKAGE = /^(?:npm:)?((?:@[a-z0-9~._-]+\/)?[a-z0-9~][a-z0-9~._-]*)$/;
const MODULE = /\.(?:ts|mts|js|mjs)$/;

/** The real path of the module a configuration names, a file or an installed package; `null` when there is none. */
export async function findModule(path: string, folders: readonly string[]): Promise<string | null> {
  const file = MODULE.test(path) ? await findFile(path, folders) : null;
  if (file !== null) return file;
  const name = PACKAGE.exec(path)?.[1];
  return name === undefined ? null : findPackage(name, folders);
}

/** The real path of a file, relative to the first folder that has it; `null` when none does. */
export async function findFile(path: string, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const found = await realpath(resolve(folder, path)).catch(() => null);
    if (found !== null) return found;
  }
  return null;
}

/** The real path of what a package gives when it is imported, installed at or above one of the folders; `null` when it is not. */
export async function findPackage(name: string, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const found = await packageFrom(name, folder);
    if (found !== null) return found;
  }
  return null;
}

async function packageFrom(name: string, folder: string): Promise<string | null> {
  const { resolve: find } = createRequire(join(folder, "package.json"));
  try {
    const found = find(name);
    // A module of Node itself by that name is no package.
    return found === name ? null : await realpath(found);
  } catch {
    return importOnly(name, find.paths(name) ?? []);
  }
}

/** A package that can be imported but not required: Node resolves those only from the file that imports. */
async function importOnly(name: string, roots: readonly string[]): Promise<string | null> {
  for (const root of roots) {
    const manifest = await readFile(join(root, name, "package.json"), "utf8").catch(() => null);
    if (manifest === null) continue;
    const { exports } = JSON.parse(manifest) as { readonly exports?: unknown };
    const isMap = typeof exports === "object" && exports !== null && "." in exports;
    const target = targetOf(isMap ? exports["."] : exports);
    return target === null ? null : realpath(join(root, name, target)).catch(() => null);
  }
  return null;
}

const CONDITIONS: ReadonlySet<string> = new Set(["import", "node", "module-sync", "default"]);

function targetOf(entry: unknown): string | null {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return null;
  for (const [condition, target] of Object.entries(entry)) {
    const found = CONDITIONS.has(condition) ? targetOf(target) : null;
    if (found !== null) return found;
  }
  return null;
}
