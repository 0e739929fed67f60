import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import { binaryKind, isNeverText } from "../files/binary-kinds.js";
import { readBytes, sha256 } from "../files/file-bytes.js";
import { showName } from "../files/show-text.js";
import { decodeText, linesOf } from "../files/text-content.js";
import { naming } from "../files/text-file.js";
import { unifiedDiff } from "../files/unified-diff.js";

const DIFF_LINES = 500;

export const compareFilesTool: AnyFileTool = fileTool({
  name: "compare_files",
  description: "Show how two files differ, as a unified diff. Binary files are compared by size and hash.",
  input: z.strictObject({
    file1: z.string().describe("The first file."),
    file2: z.string().describe("The second file."),
    context_lines: z.int().min(0).max(50).default(3).describe("Unchanged lines to show around a change."),
  }),
  risk: "read",
  effects: ({ file1, file2 }) => [pathEffect("read", file1), pathEffect("read", file2)],
  run: async ({ file1, file2, context_lines }, job) => {
    const left = await open(job, file1);
    const right = await open(job, file2);
    if (left.sha256 === right.sha256) return `Identical: ${left.bytes.length} bytes, sha256 ${left.sha256}.`;
    if (left.text === null || right.text === null)
      return [left, right].map((side) => `${showName(side.asked)}: ${side.bytes.length} bytes, sha256 ${side.sha256}`).join("\n");
    const names = { from: showName(file1), to: showName(file2) };
    const diff = unifiedDiff(left.text, right.text, { ...names, contextLines: context_lines, maxLines: DIFF_LINES });
    if (diff.text === "") return "The lines are the same; line ends, encoding or byte order mark differ.";
    for (const side of [left, right]) side.remember();
    return `+${diff.added} -${diff.removed} lines\n${diff.text}`;
  },
});

async function open(job: FileJob, asked: string) {
  const place = await job.access.locate("read", asked);
  const { bytes, state } = await naming(job, place, () => readBytes(place.real, job.limits.comparedFileBytes));
  const text = isNeverText(binaryKind(place.real)) ? null : (decodeText(bytes)?.text ?? null);
  const hash = sha256(bytes);
  return {
    asked,
    bytes,
    sha256: hash,
    text,
    /** Its content reached the model, though only where it differs. */
    remember: () => {
      const stamp = { sha256: hash, size: state.size, mtimeMs: state.mtimeMs };
      job.knowledge.sawFile(place.real, stamp, { from: 1, to: 1, totalLines: linesOf(text ?? "").length + 1 });
    },
  };
}
