import { z } from "zod";
import { type AnyFileTool, fileTool, pathEffect } from "../file-tool.js";
import { isInside } from "../files/access.js";
import { matchGlobs } from "../files/match-glob.js";
import { refuse } from "../files/refusal.js";
import { showName } from "../files/show-text.js";
import { copyAll, filesBelow, leftOut } from "./copy-path.js";
import { under } from "./glob.js";

export const copyFilesBatchTool: AnyFileTool = fileTool({
  name: "copy_files_batch",
  description:
    "Copy many files from one directory to another, keeping the paths below it; the way to take over files of another agent. Ignored files stay behind.",
  input: z.strictObject({
    source_base: z.string().describe("Directory to copy from."),
    destination_base: z.string().describe("Directory to copy to."),
    include: z.array(z.string()).default(["**/*"]).describe("Patterns of paths below source_base to copy."),
    exclude: z.array(z.string()).default([]).describe("Patterns of paths to leave out."),
    overwrite: z.boolean().default(false).describe("Replace files that exist."),
    dry_run: z.boolean().default(false).describe("Only say what would be copied."),
  }),
  risk: "write",
  effects: ({ source_base, destination_base }) => [pathEffect("copy_from", source_base), pathEffect("copy_to", destination_base)],
  run: async ({ source_base, destination_base, include, exclude, overwrite, dry_run }, job) => {
    const wanted = matchGlobs(include, exclude);
    const from = await job.access.locate("copy_from", source_base);
    const to = await job.access.locate("copy_to", destination_base);
    if (from.real === to.real) refuse("INVALID_ARGS", "source_base and destination_base are the same directory.");
    const all = await filesBelow(job, from, { wanted, includeIgnored: false });
    // A destination inside the source is left out, or the copies would be copied.
    const files = all.filter(({ real }) => !isInside(from.real, to.real) || !isInside(to.real, real));
    if (dry_run) return [`Would copy ${files.length} files:`, ...listed(files.map(({ path }) => under(destination_base, path)))].join("\n");
    const { copied, bytes, left } = await copyAll(job, files, destination_base, { overwrite });
    return [`Copied ${copied} files, ${bytes} bytes, to ${showName(destination_base)}.`, ...leftOut(left)].join("\n");
  },
});

const SHOWN = 200;
export const listed = (paths: readonly string[]): readonly string[] => [
  ...paths.slice(0, SHOWN).map((path) => `  ${showName(path)}`),
  ...(paths.length > SHOWN ? [`  +${paths.length - SHOWN} more`] : []),
];
