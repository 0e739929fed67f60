import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import type { Place } from "../files/access.js";
import { demandRead, unreadOf } from "../files/may-remove.js";
import { refuse } from "../files/refusal.js";
import { removeEntry, removeFolder, removeTree, treeOf } from "../files/remove.js";
import { showName } from "../files/show-text.js";
import { naming } from "../files/text-file.js";

export const deletePathTool: AnyFileTool = fileTool({
  name: "delete_path",
  description: "Delete a file, a link (never what it leads to) or a directory. Files must have been read, or made by you.",
  input: z.strictObject({
    path: z.string().describe("What to delete."),
    recursive: z.boolean().default(false).describe("Also a directory that is not empty, with all in it."),
  }),
  risk: "destructive",
  effects: ({ path, recursive }) => [pathEffect(recursive ? "delete_tree" : "delete", path)],
  run: async ({ path, recursive }, job) => {
    const place = await job.access.locate(recursive ? "delete_tree" : "delete", path);
    return naming(job, place, async () => {
      const found = await lstat(place.real).catch(() => refuse("NOT_FOUND", "It does not exist."));
      if (found.isDirectory()) return deleteFolder(job, place, recursive);
      // Of a link nothing is lost that could have been read.
      if (!found.isSymbolicLink()) demandRead(await unreadOf(job, [{ path, real: place.real }], dirname(place.real)));
      await removeEntry(job, place.real);
      return `Deleted ${showName(path)}.`;
    });
  },
});

async function deleteFolder(job: FileJob, { real, asked }: Place, recursive: boolean): Promise<string> {
  if (!recursive) {
    await removeFolder(real);
    return `Deleted the empty directory ${showName(asked)}.`;
  }
  const entries = await treeOf(job, real, asked);
  for (const entry of entries) await job.access.demand("delete", entry.real);
  const files = entries.filter((entry) => !entry.isFolder && !entry.isLink);
  demandRead(await unreadOf(job, files, dirname(real)));
  await removeTree(job, real, entries);
  return `Deleted ${showName(asked)}: ${files.length} files, ${entries.length - files.length} directories and links in it.`;
}
