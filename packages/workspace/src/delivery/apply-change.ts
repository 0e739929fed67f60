import type { BigIntStats } from "node:fs";
import { chmodSync, lstatSync, readlinkSync, realpathSync, rmSync, statSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange } from "@massgen/contracts";
import { codeOf, type Disk, isAbsent } from "../disk.js";
import type { Pacer } from "../pacer.js";
import { newToken } from "../run/layout.js";
import { type FileIdentity, HASHED_BYTES, isSame, openInside, readInPieces, readInside } from "../tree/read-file.js";
import { writeAll } from "../tree/write-file.js";

/** What stood in the place of a change when the copy was made: nothing, a link, or a file. */
export type Expected =
  | { readonly is: "nothing" }
  | { readonly is: "link"; readonly target: string }
  | { readonly is: "file"; readonly stat: FileIdentity; readonly sha256: string | null };

export interface ApplyTarget {
  /** The context path, real. */
  readonly root: string;
  /** Where the new content is. */
  readonly stagedRoot: string;
  readonly disk: Disk;
  readonly pace: Pacer;
}

/**
 * Brings one change to its place: whole or not at all, and only when there stands what stood there before. Gives the reason
 * when it does not.
 */
export async function applyChange(change: Omit<FileChange, "path">, expected: Expected, target: ApplyTarget): Promise<string | null> {
  const place = join(target.root, change.name);
  // Somebody else removed it: that is what was wanted.
  if (change.kind === "deleted" && statOf(place) === null) return null;
  const surprise = makeParents(change, target) ?? differs(place, change.name, expected, target.root);
  if (surprise !== null) return surprise;
  if (change.kind === "deleted") {
    unlinkSync(place);
    return null;
  }
  if (change.linkTo !== null && expected.is === "nothing") return unlessTaken(() => target.disk.symlinkSync(change.linkTo!, place));
  const next = join(dirname(place), `.massgen-${newToken()}.tmp`);
  try {
    if (change.linkTo !== null) target.disk.symlinkSync(change.linkTo, next);
    else if (!(await writeCopy(change, place, next, expected, target))) return "the staged file changed while it was applied";
    // Once more: writing takes time, and others may have written too.
    const late = differs(place, change.name, expected, target.root);
    if (late !== null) return late;
    return expected.is === "nothing" ? placeNew(target.disk, next, place) : replace(target.disk, next, place);
  } finally {
    rmSync(next, { force: true });
  }
}

/** Why a change could not be brought to its place now; `null` when it could. Nothing is touched. */
export function surpriseFor({ kind, name }: Omit<FileChange, "path">, expected: Expected, root: string): string | null {
  const place = join(root, name);
  if (kind === "deleted" && statOf(place) === null) return null;
  let folder = root;
  for (const step of name.split("/").slice(0, -1)) {
    folder = join(folder, step);
    const stat = statOf(folder);
    if (stat === null) return kind === "added" ? null : PARENT_GONE;
    if (!stat.isDirectory()) return noFolder(step);
  }
  return differs(place, name, expected, root);
}

function replace(disk: Disk, next: string, place: string): null {
  disk.renameSync(next, place);
  return null;
}

/** A link to the finished file cannot replace what somebody put there in the same moment, as a renaming would. */
function placeNew(disk: Disk, next: string, place: string): string | null {
  try {
    return unlessTaken(() => disk.linkSync(next, place));
  } catch {
    // A file system without links.
    return replace(disk, next, place);
  }
}

function unlessTaken(make: () => void): string | null {
  try {
    make();
    return null;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return TAKEN;
    throw error;
  }
}

async function writeCopy(
  { name, isProgram }: Omit<FileChange, "path">,
  place: string,
  next: string,
  expected: Expected,
  { stagedRoot, disk, pace }: ApplyTarget,
): Promise<boolean> {
  const opened = openInside(stagedRoot, name);
  if (opened === null) return false;
  try {
    const fd = disk.openSync(next, "wx", 0o600);
    try {
      if (await readInPieces(opened, (piece) => writeAll(disk, fd, piece), pace)) return false;
    } finally {
      disk.closeSync(fd);
    }
  } finally {
    disk.closeSync(opened.fd);
  }
  // A file keeps its rights; only whether it can be run is the agent's to change.
  const rights = expected.is === "file" ? statSync(place).mode & 0o666 : 0o644;
  chmodSync(next, isProgram ? rights | ((rights & 0o444) >> 2) : rights);
  return true;
}

/** Folders of a new file; none of them may be a link, or lead out of the context path. */
function makeParents({ kind, name }: Omit<FileChange, "path">, { root, disk }: ApplyTarget): string | null {
  let folder = root;
  for (const step of name.split("/").slice(0, -1)) {
    folder = join(folder, step);
    try {
      const stat = lstatSync(folder);
      if (!stat.isDirectory()) return noFolder(step);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (kind !== "added") return PARENT_GONE;
      disk.mkdirSync(folder);
    }
  }
  return realpathSync(folder) === folder ? null : "its folder has become a link";
}

function differs(place: string, name: string, expected: Expected, root: string): string | null {
  const now = statOf(place);
  if (expected.is === "nothing") return now === null ? null : TAKEN;
  if (now === null) return "it was removed meanwhile";
  if (expected.is === "link") return now.isSymbolicLink() && readlinkSync(place) === expected.target ? null : CHANGED;
  if (!now.isFile()) return CHANGED;
  if (isSame(expected.stat, now)) return null;
  if (expected.sha256 === null || now.size > HASHED_BYTES) return CHANGED;
  return readInside(root, name)?.sha256 === expected.sha256 ? null : CHANGED;
}

const noFolder = (step: string): string => `${step} is no folder any more`;
const PARENT_GONE = "its folder was removed meanwhile";
const CHANGED = "it was changed meanwhile";
const TAKEN = "something of this name was made meanwhile";

function statOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
