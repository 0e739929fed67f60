import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { ContextPathConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import type { ContextPath } from "@massgen/policy";

export interface Places {
  /** What relative paths start from. */
  readonly cwd: string;
  readonly home: string;
  /** The `.massgen` folder. */
  readonly base: string;
}

/**
 * The user's files and folders as they are granted: absolute, there, and none of ours.
 *
 * @throws MassgenError `CONFIG_INVALID` naming all that are missing at once, a protected path outside, or a path within `.massgen`
 */
export async function resolveContextPaths(configured: readonly ContextPathConfig[], places: Places): Promise<readonly ContextPath[]> {
  const paths = merged(configured.map((entry) => ({ ...entry, path: absolute(entry.path, places) })));
  const missing: string[] = [];
  for (const { path, permission } of paths) {
    // A file that is to be written may not be there yet.
    const needed = permission === "write" ? dirname(path) : path;
    if (!(await exists(path)) && !(permission === "write" && (await exists(needed)))) missing.push(path);
  }
  if (missing.length > 0) {
    throw new MassgenError("CONFIG_INVALID", `Context paths that do not exist: ${missing.join(", ")}`, {
      exitCode: 1,
      hint: "Correct orchestrator.context_paths, or make them. Relative paths start in the current folder.",
    });
  }
  for (const { path, permission, protectedPaths } of paths) {
    if (permission === "write" && (isWithin(path, places.base) || isWithin(await real(path), await real(places.base))))
      throw ownFolder(path);
    const root = (await isFolder(path)) ? path : dirname(path);
    const outside = protectedPaths.find((entry) => !isWithin(resolve(root, entry), root));
    if (outside !== undefined) {
      throw new MassgenError("CONFIG_INVALID", `The protected path ${outside} is not inside ${path}.`, {
        exitCode: 1,
        hint: "protected_paths are relative to the path they stand under.",
      });
    }
  }
  return paths;
}

/** Twice the same: write wins, and what either protects stays protected. */
function merged(paths: readonly ContextPathConfig[]): readonly ContextPathConfig[] {
  const byPath = new Map<string, ContextPathConfig>();
  for (const one of paths) {
    const before = byPath.get(one.path);
    const protectedPaths = [...new Set([...(before?.protectedPaths ?? []), ...one.protectedPaths])];
    byPath.set(one.path, { ...one, permission: before?.permission === "write" ? "write" : one.permission, protectedPaths });
  }
  return [...byPath.values()];
}

/** Where a path leads, through links; of one that is not there yet where its folder does. */
const real = (path: string): Promise<string> =>
  realpath(path).catch(() =>
    realpath(dirname(path)).then(
      (folder) => join(folder, basename(path)),
      () => path,
    ),
  );

const absolute = (path: string, { cwd, home }: Places): string =>
  path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(cwd, path);

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const ownFolder = (path: string): MassgenError =>
  new MassgenError("CONFIG_INVALID", `The context path ${path} lies in MassGen's own folder and cannot be written.`, {
    exitCode: 1,
    hint: "Name a folder of your project.",
  });
