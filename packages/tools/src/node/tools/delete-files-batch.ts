import { z } from "zod";
import { type AnyFileTool, fileTool, pathEffect } from "../file-tool.js";
import { matchGlobs } from "../files/match-glob.js";
import { unreadOf } from "../files/may-remove.js";
import { Refusal, refuse } from "../files/refusal.js";
import { removeEntry, treeOf } from "../files/remove.js";
import { naming } from "../files/text-file.js";
import { listed } from "./copy-files-batch.js";
import { under } from "./glob.js";

export const deleteFilesBatchTool: AnyFileTool = fileTool({
  name: "delete_files_batch",
  description: "Delete the files of a directory whose paths match. A file you may not delete, or have not read, stays and is named.",
  input: z.strictObject({
    base_path: z.string().describe("Directory the patterns are relative to."),
    include: z.array(z.string()).min(1).describe("Patterns of files to delete."),
    exclude: z.array(z.string()).default([]).describe("Patterns of files to keep."),
    dry_run: z.boolean().default(false).describe("Only say what would be deleted."),
  }),
  risk: "destructive",
  // Deleting in it is writing to it; each file is judged as a deletion when it is known which they are.
  effects: ({ base_path }) => [pathEffect("write", base_path)],
  run: async ({ base_path, include, exclude, dry_run }, job) => {
    const wanted = matchGlobs(include, exclude);
    const base = await job.access.locate("list", base_path);
    const entries = await naming(job, base, () => treeOf(job, base.real, "."));
    const files = entries
      .filter(({ path, isFolder }) => !isFolder && wanted(path.slice(2)))
      .map((entry) => ({ ...entry, path: under(base_path, entry.path.slice(2)) }));
    const max = job.limits.deletedFiles;
    if (files.length > max) refuse("TOO_LARGE", `${files.length} files match; at most ${max} are deleted at once. Nothing was deleted.`);
    const unread = new Set(
      await unreadOf(
        job,
        files.filter(({ isLink }) => !isLink),
        base.real,
      ),
    );
    const deleted: string[] = [];
    const kept: string[] = [];
    for (const file of files) {
      job.signal.throwIfAborted();
      try {
        if (unread.has(file)) refuse("DELETE_UNREAD", "you have not read it as it is now");
        await job.access.demand("delete", file.real);
        if (!dry_run) await removeEntry(job, file.real);
        deleted.push(file.path);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        kept.push(`${file.path} (${error.code}: ${error.message})`);
      }
    }
    return [
      `${dry_run ? "Would delete" : "Deleted"} ${deleted.length} files:`,
      ...listed(deleted),
      ...(kept.length > 0 ? [`Kept ${kept.length}:`, ...listed(kept)] : []),
    ].join("\n");
  },
});
