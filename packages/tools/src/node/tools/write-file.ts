import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import type { Place } from "../files/access.js";
import { readBytes, sha256 } from "../files/file-bytes.js";
import { Refusal, refuse } from "../files/refusal.js";
import { demandSeen, type FileNow, saveText } from "../files/save-text.js";
import { showName } from "../files/show-text.js";
import { decodeText, lineEndOf, linesOf, plainForm, type TextForm } from "../files/text-content.js";
import { naming } from "../files/text-file.js";

export const writeFileTool: AnyFileTool = fileTool({
  name: "write_file",
  description:
    "Create a file or replace all of it; missing directories are made. A file that exists must have been read before, and unchanged since.",
  input: z.strictObject({
    path: z.string().describe("File to write, absolute or relative to your workspace."),
    content: z.string().describe("The whole new content."),
  }),
  risk: "write",
  effects: ({ path }) => [pathEffect("write", path)],
  run: async ({ path, content }, job) => {
    const place = await job.access.locate("write", path);
    return naming(job, place, async () => {
      const before = await current(job, place);
      if (before !== null && demandSeen(job, place, before) !== null)
        refuse("READ_REQUIRED", "You have read only a part of the file. Read the rest first, or use edit_file.");
      const text = before?.lineEnd === "\r\n" && !content.includes("\r\n") ? content.replaceAll("\n", "\r\n") : content;
      const bytes = await saveText(job, place, text, { form: before?.form ?? plainForm, replaces: before });
      return `${before === null ? "Created" : "Overwrote"} ${showName(path)}: ${bytes} bytes, ${linesOf(content).length} lines.`;
    });
  },
});

interface Current extends FileNow {
  readonly form: TextForm;
  readonly lineEnd: ReturnType<typeof lineEndOf>;
}

/** What has the name now; `null` when it is free. */
async function current(job: FileJob, place: Place): Promise<Current | null> {
  try {
    const { bytes, state } = await readBytes(place.real, job.limits.readableFileBytes);
    const decoded = decodeText(bytes);
    return { state, sha256: sha256(bytes), form: decoded?.form ?? plainForm, lineEnd: decoded === null ? null : lineEndOf(decoded.text) };
  } catch (error) {
    if (error instanceof Refusal && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
