import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { type AnyFileTool, fileTool, pathEffect } from "../file-tool.js";
import type { HeldFolder } from "../files/held-folder.js";
import { showName } from "../files/show-text.js";
import { naming } from "../files/text-file.js";
import { type Entry, walk } from "../files/walk.js";

export const listDirectoryTool: AnyFileTool = fileTool({
  name: "list_directory",
  description: "List a directory as a tree: directories end with /, files show their size in bytes.",
  input: z.strictObject({
    path: z.string().default(".").describe("Directory to list."),
    depth: z.int().min(1).max(5).default(1).describe("Levels to show, at most 5."),
    show_hidden: z.boolean().default(false).describe("Also names that begin with a dot."),
    include_ignored: z.boolean().default(false).describe("Also what .gitignore leaves out, node_modules and the like."),
  }),
  risk: "read",
  effects: ({ path }) => [pathEffect("list", path)],
  run: async ({ path, depth, show_hidden, include_ignored }, job) => {
    const place = await job.access.locate("list", path);
    return naming(job, place, async () => {
      const lines: string[] = [];
      let [more, seen] = [0, 0];
      const isFull = (): boolean => lines.length >= job.limits.listedEntries;
      await walk(place.real, {
        depth,
        showHidden: show_hidden,
        includeIgnored: include_ignored,
        signal: job.signal,
        mayReadRules: (real) => job.access.mayUse("read", real),
        // What is only counted is not asked about one by one.
        mayUse: (real) => (isFull() ? Promise.resolve(true) : job.access.maySee(real)),
        visit: async (entry, folder) => {
          if (++seen > job.limits.walkedFiles) return "stop";
          if (isFull()) more++;
          else lines.push(await describe(entry, folder));
          return undefined;
        },
      });
      if (lines.length === 0) return "(The directory is empty, or everything in it is hidden or ignored.)";
      const least = seen > job.limits.walkedFiles ? " at least" : "";
      return [...lines, ...(more > 0 ? [`+${more} more${least}`] : [])].join("\n");
    });
  },
});

async function describe(entry: Entry, folder: HeldFolder): Promise<string> {
  const name = `${"  ".repeat(entry.depth - 1)}${showName(basename(entry.path))}`;
  if (entry.kind === "folder") return `${name}/`;
  if (entry.kind === "link") return `${name} -> (link)`;
  if (entry.kind === "other") return `${name} (device, pipe or socket)`;
  const found = await lstat(folder.at(basename(entry.path))).catch(() => null);
  return found === null ? name : `${name}  ${found.size}`;
}
