import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import { refuse } from "../files/refusal.js";
import { linesOf } from "../files/text-content.js";
import { naming, readText, type TextFile } from "../files/text-file.js";

const input = z.strictObject({
  path: z.string().describe("File to read, absolute or relative to your workspace."),
  offset: z.int().default(1).describe("First line to show, counted from 1; a negative number counts from the end."),
  limit: z.int().min(1).default(2000).describe("How many lines to show, at most 2000."),
});

export const readFileTool: AnyFileTool = fileTool({
  name: "read_file",
  description:
    "Read a text file. Lines come as `<number>\\t<text>`; leave number and tab out when you quote a line in an edit. Long files are shown in parts.",
  input,
  risk: "read",
  effects: ({ path }) => [pathEffect("read", path)],
  run: async ({ path, offset, limit }, job) => {
    const file = await readText(job, "read", path, job.limits.readableFileBytes);
    const budget = Math.min(job.limits.readBytes, job.limits.resultChars - HEADER_CHARS);
    return naming(job, file.place, async () => showLines(job, file, { offset, limit }, budget));
  },
});

/** Room for the header and a note, so that the result is not cut a second time. */
const HEADER_CHARS = 400;

export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** The lines of a file as an agent sees them, and a note in its tracker that it has. */
export function showLines(job: FileJob, file: TextFile, { offset, limit }: Window, budgetChars: number): string {
  const lines = linesOf(file.text);
  const first = firstLine(offset, lines.length);
  const wanted = Math.min(limit, job.limits.readLines);
  const shown: string[] = [];
  let left = budgetChars;
  let cutLines = 0;
  for (let number = first; number <= lines.length && shown.length < wanted; number++) {
    const line = lines[number - 1]!;
    const isCut = line.length > job.limits.lineChars;
    const text = `${number}\t${isCut ? `${line.slice(0, job.limits.lineChars)}… [line cut, ${line.length} characters]` : line}`;
    if (text.length + 1 > left && shown.length > 0) break;
    left -= text.length + 1;
    if (isCut) cutLines++;
    shown.push(text);
  }
  const last = first + shown.length - 1;
  remember(job, file, { first, last, total: lines.length, cutLines });
  if (lines.length === 0) return "(The file is empty.)";
  const notes = [
    ...(first > 1 || last < lines.length
      ? [`[lines ${first}-${last} of ${lines.length}${last < lines.length ? `; continue with offset=${last + 1}` : ""}]`]
      : []),
    ...(limit > wanted ? [`[limit is at most ${job.limits.readLines}]`] : []),
    ...(file.isLossy ? ["[some bytes are not UTF-8 and shown as \uFFFD; the file cannot be edited as text]"] : []),
  ];
  return [...notes, ...shown].join("\n");
}

function firstLine(offset: number, total: number): number {
  if (offset === 0) refuse("INVALID_ARGS", "offset counts from 1, or from the end when negative; 0 is no line.");
  const first = offset < 0 ? Math.max(1, total + offset + 1) : offset;
  if (first > Math.max(total, 1)) refuse("INVALID_ARGS", `offset is ${offset}, but the file has ${total} lines.`);
  return first;
}

function remember(
  job: FileJob,
  { place, sha256, state }: TextFile,
  at: { readonly first: number; readonly last: number; readonly total: number; readonly cutLines: number },
): void {
  const { size, mtimeMs } = state;
  // The rest of a line that was cut counts as a line nobody saw.
  const totalLines = at.cutLines > 0 ? at.total + 1 : at.total;
  const lines = at.total === 0 ? undefined : { from: at.first, to: at.last, totalLines };
  job.knowledge.sawFile(place.real, { sha256, size, mtimeMs }, lines);
}
