import { closeSync, lstatSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@massgen/contracts";
import { openInside } from "../tree/read-file.js";

const CHUNK_BYTES = 2 ** 20;

/** Whether a change stands in its place already: whoever brought it may have died before it could say so. */
export function isBrought({ name, kind, linkTo, isProgram }: FileChange, sourceRoot: string, stagedRoot: string): boolean {
  const stat = lstatSync(join(sourceRoot, name), { throwIfNoEntry: false });
  if (kind === "deleted" || stat === undefined) return kind === "deleted" && stat === undefined;
  if (linkTo !== null) return stat.isSymbolicLink() && readlinkSync(join(sourceRoot, name)) === linkTo;
  return stat.isFile() && ((stat.mode & 0o111) !== 0) === isProgram && hasSameContent(name, sourceRoot, stagedRoot);
}

function hasSameContent(name: string, sourceRoot: string, stagedRoot: string): boolean {
  const [there, wanted] = [openInside(sourceRoot, name), openInside(stagedRoot, name)];
  try {
    if (there === null || wanted === null || there.stat.size !== wanted.stat.size) return false;
    const [a, b] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
    for (let at = 0; at < Number(wanted.stat.size); at += CHUNK_BYTES) {
      const [ofThere, ofWanted] = [readSync(there.fd, a, 0, CHUNK_BYTES, at), readSync(wanted.fd, b, 0, CHUNK_BYTES, at)];
      if (!a.subarray(0, ofThere).equals(b.subarray(0, ofWanted))) return false;
    }
    return true;
  } finally {
    for (const opened of [there, wanted]) if (opened !== null) closeSync(opened.fd);
  }
}
