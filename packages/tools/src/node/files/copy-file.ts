import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { lstat, readlink, symlink } from "node:fs/promises";
import { basename, dirname, posix } from "node:path";
import type { FileJob } from "../file-tool.js";
import type { Place } from "./access.js";
import { hashOf, withFile } from "./file-bytes.js";
import { type HeldFolder, inFolder } from "./held-folder.js";
import { refuse } from "./refusal.js";
import { demandSeen } from "./save-text.js";
import { plainMode, writeAtomic } from "./write-atomic.js";

/**
 * Copies one file, whole or not at all, and gives its size in bytes. What is there gives way only with `overwrite`, and
 * outside the workspace only when the agent has seen it as it is.
 */
export async function copyFile(
  job: FileJob,
  source: string,
  target: Place,
  { overwrite }: { readonly overwrite: boolean },
): Promise<number> {
  await demandReplaceable(job, target, { overwrite });
  return withFile(source, async (from, state) => {
    const hash = createHash("sha256");
    const written = await writeAtomic(target.real, EMPTY, {
      mode: plainMode(state.mode),
      mustBeNew: !overwrite,
      fill: (to) => pour(job, from, to, (chunk) => hash.update(chunk)),
    });
    const sha256 = hash.digest("hex");
    const known = job.knowledge.get(source);
    // The agent made it, so it may remove it; it knows of the content what it knew of the source.
    job.knowledge.forget(target.real);
    const seen = known?.sha256 === sha256 ? known.seen : [];
    job.knowledge.wroteFile(target.real, { sha256, size: written.size, mtimeMs: written.mtimeMs }, seen);
    return written.size;
  });
}

const EMPTY = new Uint8Array(0);

async function pour(job: FileJob, from: FileHandle, to: FileHandle, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (let position = 0; ; ) {
    job.signal.throwIfAborted();
    const { bytesRead } = await from.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    const chunk = buffer.subarray(0, bytesRead);
    onChunk(chunk);
    await to.writeFile(chunk);
    position += bytesRead;
    if (position > job.limits.copiedBytes) refuse("TOO_LARGE", `It has more than ${job.limits.copiedBytes} bytes, the limit.`);
  }
}

/** Refuses when the name is taken and may not be given to something else. */
export async function demandReplaceable(job: FileJob, target: Place, { overwrite }: { readonly overwrite: boolean }): Promise<void> {
  const found = await lstat(target.real).catch(() => null);
  if (found === null) return;
  if (found.isDirectory()) refuse("IS_DIRECTORY", "The destination is a directory.");
  if (!overwrite) refuse("EXISTS", "The destination exists. Set overwrite to replace it.");
  if (job.access.isInWorkspace(target.real)) return;
  await withFile(target.real, async (handle, state) => demandSeen(job, target, { state, sha256: await hashOf(handle) }));
}

/**
 * Makes a link again that leads, relative, to something inside the copied tree. Gives `false` for any other, which is
 * not copied: followed, it could bring in what nobody was allowed to see.
 */
export async function copyLink(folder: HeldFolder, path: string, target: Place): Promise<boolean> {
  const leadsTo = await readlink(folder.at(basename(path)));
  const end = posix.normalize(posix.join(posix.dirname(path), leadsTo));
  if (posix.isAbsolute(leadsTo) || end === ".." || end.startsWith("../")) return false;
  await inFolder(dirname(target.real), (into) => symlink(leadsTo, into.at(basename(target.real))), { create: true });
  return true;
}
