import { z } from "zod";
import { type AnyFileTool, fileTool, pathEffect } from "../file-tool.js";
import { Refusal, refusalText } from "../files/refusal.js";
import { showName } from "../files/show-text.js";
import { readText } from "../files/text-file.js";
import { showLines } from "./read-file.js";

const MAX_FILES = 20;

export const readManyFilesTool: AnyFileTool = fileTool({
  name: "read_many_files",
  description: `Read up to ${MAX_FILES} text files at once, in the form of read_file. A file that cannot be read is said so in its place.`,
  input: z.strictObject({ paths: z.array(z.string()).min(1).max(MAX_FILES).describe("Files to read.") }),
  risk: "read",
  effects: ({ paths }) => paths.map((path) => pathEffect("read", path)),
  run: async ({ paths }, job) => {
    const blocks: string[] = [];
    const total = Math.min(job.limits.readBytes, job.limits.resultChars);
    let left = total - paths.length * BLOCK_CHARS;
    for (const [index, path] of paths.entries()) {
      job.signal.throwIfAborted();
      // Shared fairly: what a small file leaves over is there for those after it.
      const share = Math.max(0, Math.floor(left / (paths.length - index)));
      const text = await readText(job, "read", path, job.limits.readableFileBytes).then(
        (file) => showLines(job, file, { offset: 1, limit: job.limits.readLines }, share),
        (error: unknown) => {
          if (error instanceof Refusal) return refusalText(error);
          throw error;
        },
      );
      left -= text.length;
      blocks.push(`==> ${showName(path)} <==\n${text}`);
    }
    return blocks.join("\n\n");
  },
});

/** Room for the header of a block and the notes in it. */
const BLOCK_CHARS = 200;
