import { rmdir, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { FileJob } from "../file-tool.js";
import { inFolder } from "./held-folder.js";
import { refuse, systemCode } from "./refusal.js";
import { walk } from "./walk.js";

export interface TreeEntry {
  readonly path: string;
  readonly real: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** All that is below a folder, links not followed; a folder stands before what is in it. */
export async function treeOf(job: FileJob, root: string, asked: string): Promise<readonly TreeEntry[]> {
  const entries: TreeEntry[] = [];
  await walk(root, {
    showHidden: true,
    includeIgnored: true,
    signal: job.signal,
    mayReadRules: (real) => job.access.mayUse("read", real),
    mayUse: async () => true,
    visit: ({ path, real, kind }) => {
      entries.push({ path: `${asked.replace(/\/+$/, "")}/${path}`, real, isFolder: kind === "folder", isLink: kind === "link" });
      return undefined;
    },
  });
  return entries;
}

/** Takes one file or link away: the entry itself, never what it leads to. */
export async function removeEntry(job: FileJob, real: string): Promise<void> {
  await inFolder(dirname(real), async (folder) => {
    await unlink(folder.at(basename(real)));
    await folder.verify();
  });
  job.knowledge.forget(real);
}

/** Takes an empty folder away. */
export const removeFolder = (real: string): Promise<void> =>
  inFolder(dirname(real), (folder) =>
    rmdir(folder.at(basename(real))).catch((error: unknown) =>
      systemCode(error) === "ENOTEMPTY" || systemCode(error) === "EEXIST"
        ? refuse("NOT_EMPTY", "The directory is not empty. Set recursive to delete all in it.", error)
        : Promise.reject(error),
    ),
  );

/** Takes away exactly what was listed, the inner first. What was added meanwhile stays, and so does its folder. */
export async function removeTree(job: FileJob, root: string, entries: readonly TreeEntry[]): Promise<void> {
  for (const entry of [...entries].reverse()) {
    job.signal.throwIfAborted();
    if (entry.isFolder) await removeFolder(entry.real);
    else await removeEntry(job, entry.real);
  }
  await removeFolder(root);
}
