import { z } from "zod";
import { type AnyFileTool, fileTool } from "../file-tool.js";
import { showName } from "../files/show-text.js";

export const listRootsTool: AnyFileTool = fileTool({
  name: "list_roots",
  description: "List the directories and files you may use, and which of them you may change.",
  input: z.strictObject({}),
  risk: "read",
  effects: () => [],
  run: async (_, job) => {
    const roots = await job.roots();
    return roots.length === 0
      ? "You have no files."
      : roots.map(({ path, kind, write }) => `${showName(path)}  ${kind.replaceAll("_", " ")}, ${rights[write]}`).join("\n");
  },
});

const rights = {
  yes: "read and write",
  later: "read only; will be writable for the final presenter",
  no: "read only",
} as const;
