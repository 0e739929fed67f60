import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join, posix } from "node:path";
import type { Pacer } from "../pacer.js";
import type { Excludes } from "./exclude.js";
import type { CopiedLink, Skipped, TreeLimits } from "./manifest.js";

export interface FoundFile {
  readonly path: string;
  readonly stat: BigIntStats;
}

/** What there is to copy. Folders stand before what is in them. */
export interface Scan {
  readonly folders: readonly string[];
  readonly files: readonly FoundFile[];
  readonly links: readonly CopiedLink[];
  readonly skipped: readonly Skipped[];
}

/** A tree this many times the limit is not walked to its end. */
const MAX_OVER = 10;

/**
 * Walks a tree without following a link, in the order of names. Links that lead out of the tree, devices, pipes and what
 * cannot be read are named in `skipped`.
 *
 * @throws what `readdir` of `root` itself throws
 */
export async function scanTree(root: string, excludes: Excludes, limits: TreeLimits, pace: Pacer): Promise<Scan> {
  const scan = { folders: [] as string[], files: [] as FoundFile[], links: [] as CopiedLink[], skipped: [] as Skipped[] };
  const open: string[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    await pace();
    if (folder !== "") scan.folders.push(folder);
    const inside: string[] = [];
    for (const name of namesIn(root, folder, scan.skipped)) {
      await pace();
      const path = folder === "" ? name : `${folder}/${name}`;
      if (!excludes(path) && look(root, path, scan) === "folder") inside.push(path);
    }
    open.push(...inside.reverse());
    if (scan.files.length > limits.maxFiles * MAX_OVER) {
      scan.skipped.push(...open.map((path): Skipped => ({ path, reason: "over_file_limit" })));
      break;
    }
  }
  return scan;
}

function namesIn(root: string, folder: string, skipped: Skipped[]): readonly string[] {
  try {
    return readdirSync(join(root, folder)).sort();
  } catch (error) {
    if (folder === "") throw error;
    skipped.push({ path: folder, reason: "unreadable" });
    return [];
  }
}

function look(root: string, path: string, scan: { files: FoundFile[]; links: CopiedLink[]; skipped: Skipped[] }): "folder" | "other" {
  try {
    const stat = lstatSync(join(root, path), { bigint: true });
    if (stat.isDirectory()) return "folder";
    if (stat.isFile()) scan.files.push({ path, stat });
    else if (!stat.isSymbolicLink()) scan.skipped.push({ path, reason: "special_file" });
    else {
      const target = readlinkSync(join(root, path));
      if (staysInside(path, target)) scan.links.push({ path, target });
      else scan.skipped.push({ path, reason: "skipped_symlink" });
    }
  } catch {
    // Gone since the folder was listed, or a name that is no Unicode.
    scan.skipped.push({ path, reason: "unreadable" });
  }
  return "other";
}

/**
 * Judged by names alone. The leading `..` climb real folders, for a walk follows no link; after a name there may be no
 * `..`, since that name may be a link itself. So a chain of links ends inside when each of them stays inside.
 */
function staysInside(path: string, target: string): boolean {
  if (target === "" || /^(?:[/\\]|[A-Za-z]:)/.test(target) || target.includes("\\")) return false;
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const firstName = steps.findIndex((step) => step !== "..");
  if (firstName !== -1 && steps.includes("..", firstName)) return false;
  const end = posix.normalize(posix.join(posix.dirname(path), target));
  return end !== ".." && !end.startsWith("../");
}
