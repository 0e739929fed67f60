import { lstat } from "node:fs/promises";
import { z } from "zod";
import { type AnyFileTool, fileTool, pathEffect } from "../file-tool.js";
import { holdFolder } from "../files/held-folder.js";
import { showName } from "../files/show-text.js";
import { naming } from "../files/text-file.js";

export const createDirectoryTool: AnyFileTool = fileTool({
  name: "create_directory",
  description: "Create a directory and the missing ones above it. It is no error when it exists.",
  input: z.strictObject({ path: z.string().describe("Directory to create.") }),
  risk: "write",
  effects: ({ path }) => [pathEffect("mkdir", path)],
  run: async ({ path }, job) => {
    const place = await job.access.locate("mkdir", path);
    return naming(job, place, async () => {
      const existed = await lstat(place.real).then(
        () => true,
        () => false,
      );
      await (await holdFolder(place.real, { create: true })).close();
      return existed ? `The directory ${showName(path)} exists already.` : `Created the directory ${showName(path)}.`;
    });
  },
});
