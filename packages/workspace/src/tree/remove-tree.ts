import { type BigIntStats, chmodSync, lstatSync, readdirSync, realpathSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, join, parse, relative, sep } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { codeOf, isAbsent } from "../disk.js";
import type { Pacer } from "../pacer.js";

const MIN_DEPTH = 3;

/**
 * Removes a folder and everything in it, following no link. What is not there is removed already.
 *
 * Only a real folder strictly inside of one of `roots`, at least three folders deep, and no mount point: the last guard
 * before somebody's files.
 *
 * @throws MassgenError `PATH_DENIED` for anything else, with nothing removed
 */
export async function removeTree(path: string, roots: readonly string[], pace: Pacer): Promise<void> {
  const stat = checkRemovable(path, roots);
  if (stat === null) return;
  await emptyFolder(path, pace);
  rmdirSync(path);
}

/** Removes what is in a folder but what `spares` names at its top. */
export async function emptyFolder(folder: string, pace: Pacer, spares: (name: string) => boolean = () => false): Promise<void> {
  const { dev } = makeWritable(folder);
  for (const name of readdirSync(folder)) if (!spares(name)) await removeAny(join(folder, name), dev, pace);
}

async function removeAny(path: string, dev: bigint, pace: Pacer): Promise<void> {
  await pace();
  const stat = statOf(path);
  if (stat === null) return;
  if (!stat.isDirectory()) return unlinkSync(path);
  if (stat.dev !== dev) throw denied(path, "another file system is mounted there");
  makeWritable(path);
  for (const name of readdirSync(path)) await removeAny(join(path, name), dev, pace);
  rmdirSync(path);
}

/** Views are read-only for us too. */
function makeWritable(folder: string): BigIntStats {
  const stat = lstatSync(folder, { bigint: true });
  if (stat.isDirectory() && (stat.mode & 0o700n) !== 0o700n) chmodSync(folder, 0o700);
  return stat;
}

function checkRemovable(path: string, roots: readonly string[]): BigIntStats | null {
  const stat = statOf(path);
  if (stat === null) return null;
  if (stat.isSymbolicLink()) throw denied(path, "it is a link");
  if (!stat.isDirectory()) throw denied(path, "it is no folder");
  if (join(realpathSync(dirname(path)), basename(path)) !== path) throw denied(path, "its path leads through a link");
  if (path.slice(parse(path).root.length).split(sep).length < MIN_DEPTH) throw denied(path, "it is too near to the root of the disk");
  if (!roots.some((root) => isInside(root, path))) throw denied(path, "it is not a folder of this program");
  if (statSync(dirname(path), { bigint: true }).dev !== stat.dev) throw denied(path, "another file system is mounted there");
  return stat;
}

function statOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Strictly: a folder is not inside of itself. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !parse(way).root;
}

const denied = (path: string, why: string): MassgenError =>
  new MassgenError("PATH_DENIED", `${path} was not removed: ${why}.`, { hint: "Look at it, and remove it by hand if it is not needed." });

/** For clean-up that must not hide the error it follows. */
export async function tryRemoveTree(path: string, roots: readonly string[], pace: Pacer): Promise<string | null> {
  try {
    await removeTree(path, roots, pace);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : codeOf(error);
  }
}
