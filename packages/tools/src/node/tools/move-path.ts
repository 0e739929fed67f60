import { lstat, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import { isInside, type Place } from "../files/access.js";
import { copyFile, demandReplaceable } from "../files/copy-file.js";
import { inFolder } from "../files/held-folder.js";
import { refuse, systemCode } from "../files/refusal.js";
import { removeEntry, treeOf } from "../files/remove.js";
import { showName } from "../files/show-text.js";
import { naming } from "../files/text-file.js";
import { temporaryName } from "../files/write-atomic.js";

export const movePathTool: AnyFileTool = fileTool({
  name: "move_path",
  description: "Move or rename a file or directory.",
  input: z.strictObject({
    source: z.string().describe("What to move."),
    destination: z.string().describe("Its new path; not the directory to put it in."),
    overwrite: z.boolean().default(false).describe("Replace a file that exists."),
  }),
  risk: "destructive",
  effects: ({ source, destination }) => [pathEffect("move_from", source), pathEffect("move_to", destination)],
  run: async ({ source, destination, overwrite }, job) => {
    const from = await job.access.locate("move_from", source);
    const to = await job.access.locate("move_to", destination);
    const found = await naming(job, from, () => lstat(from.real).catch(() => refuse("NOT_FOUND", "It does not exist.")));
    if (from.real !== to.real && isInside(from.real, to.real)) refuse("INVALID_ARGS", "A directory cannot be moved into itself.");
    const entries = found.isDirectory() ? await treeOf(job, from.real, source) : [];
    for (const { real } of entries) {
      await job.access.demand("move_from", real);
      await job.access.demand("move_to", `${to.real}${real.slice(from.real.length)}`);
    }
    const isSame = await isSameFile(from.real, to.real);
    await naming(job, to, async () => {
      if (!isSame) await demandFree(job, to, { overwrite, isFolder: found.isDirectory() });
      await moveEntry(job, from, to, { isSame, isFile: found.isFile() });
    });
    job.knowledge.forget(to.real);
    job.knowledge.movedFile(from.real, to.real);
    return `Moved ${showName(source)} to ${showName(destination)}.`;
  },
});

async function demandFree(
  job: FileJob,
  to: Place,
  { overwrite, isFolder }: { readonly overwrite: boolean; readonly isFolder: boolean },
): Promise<void> {
  if (!isFolder) return demandReplaceable(job, to, { overwrite });
  const found = await lstat(to.real).catch(() => null);
  if (found !== null)
    refuse("EXISTS", "The destination exists. A directory replaces nothing; merge with copy_path, or move to a free name.");
}

/** Two spellings of one entry, on a volume where case does not count. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([lstat(a).catch(() => null), lstat(b).catch(() => null)]);
  return one !== null && other !== null && one.dev === other.dev && one.ino === other.ino && a.toLowerCase() === b.toLowerCase();
}

async function moveEntry(
  job: FileJob,
  from: Place,
  to: Place,
  { isSame, isFile }: { readonly isSame: boolean; readonly isFile: boolean },
): Promise<void> {
  job.signal.throwIfAborted();
  try {
    await inFolder(dirname(from.real), (source) =>
      inFolder(
        dirname(to.real),
        async (target) => {
          // In two steps a name that differs only in case changes everywhere.
          const between = isSame ? temporaryName() : null;
          if (between !== null) await rename(source.at(basename(from.real)), source.at(between));
          await rename(source.at(between ?? basename(from.real)), target.at(basename(to.real)));
          await Promise.all([source.verify(), target.verify()]);
        },
        { create: true },
      ),
    );
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
    if (!isFile) refuse("IO_FAILED", "It would move to another disk. Copy it with copy_path, then delete the original.", error);
    await copyFile(job, from.real, to, { overwrite: true });
    await removeEntry(job, from.real);
  }
}
