import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCodeOf } from "./error-code.js";

export interface WriteWholeOptions {
  /** What happens to a file that is there: it stays and the answer is `false`; it is replaced; it is kept beside it as `.bak`. */
  readonly existing: "keep" | "replace" | "backup";
  /** Rights of the file, whatever it had before, for example `0o600`. Default: those of a new file. */
  readonly mode?: number;
}

/**
 * Writes a file whole or not at all: a process that is killed meanwhile leaves the old file. Folders above are made.
 * Answers `false` when the file is there and is to be kept. Rejects as the file system does.
 */
export async function writeWhole(path: string, text: string, { existing, mode }: WriteWholeOptions): Promise<boolean> {
  // A link stays one: what it points to is written.
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, "wx", mode ?? 0o666);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // The rights given to `open` are cut by the umask.
    if (mode !== undefined) await chmod(draft, mode);
    if (existing === "keep") return await linked(draft, target);
    if (existing === "backup") await rename(target, `${target}.bak`).catch(ignoreMissing);
    await rename(draft, target);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Gives `draft` its name unless somebody has it: one step, so that two processes cannot both win. */
async function linked(draft: string, target: string): Promise<boolean> {
  try {
    await link(draft, target);
    return true;
  } catch (error) {
    if (errorCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (errorCodeOf(error) !== "ENOENT") throw error;
}
