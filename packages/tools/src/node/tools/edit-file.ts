import { z } from "zod";
import { type AnyFileTool, type FileJob, fileTool, pathEffect } from "../file-tool.js";
import { explainMismatch } from "../files/explain-mismatch.js";
import { Refusal, refuse } from "../files/refusal.js";
import { replaceText } from "../files/replace-text.js";
import { demandSeen, saveText } from "../files/save-text.js";
import { afterChange, hasSeen, type SeenLines } from "../files/seen-lines.js";
import { showName } from "../files/show-text.js";
import { linesOf, plainForm } from "../files/text-content.js";
import { naming, readText } from "../files/text-file.js";
import { unifiedDiff } from "../files/unified-diff.js";

const DIFF_LINES = 200;
const MAX_EDITS = 50;

const edit = {
  old_string: z.string().describe("Text to replace, exactly as in the file; it must occur once unless replace_all is set."),
  new_string: z.string().describe("Text to put in its place."),
  replace_all: z.boolean().default(false).describe("Replace every occurrence."),
};

type Edit = z.infer<z.ZodObject<typeof edit>>;

export const editFileTool: AnyFileTool = fileTool({
  name: "edit_file",
  description:
    "Replace a text in a file you have read. The old text must match exactly and occur once, unless replace_all is set. An empty old_string creates a file that does not exist.",
  input: z.strictObject({ path: z.string().describe("File to edit."), ...edit }),
  risk: "write",
  effects: ({ path }) => [pathEffect("write", path)],
  run: ({ path, ...one }, job) => (one.old_string === "" ? createFile(job, path, one.new_string) : applyEdits(job, path, [one])),
});

export const multiEditTool: AnyFileTool = fileTool({
  name: "multi_edit",
  description: `Make up to ${MAX_EDITS} edits to one file, in order, each seeing what the ones before it left. If one does not match, none is made.`,
  input: z.strictObject({ path: z.string().describe("File to edit."), edits: z.array(z.strictObject(edit)).min(1).max(MAX_EDITS) }),
  risk: "write",
  effects: ({ path }) => [pathEffect("write", path)],
  run: ({ path, edits }, job) => applyEdits(job, path, edits),
});

async function createFile(job: FileJob, path: string, content: string): Promise<string> {
  const place = await job.access.locate("create", path);
  return naming(job, place, async () => {
    const bytes = await saveText(job, place, content, { form: plainForm, replaces: null });
    return `Created ${showName(path)}: ${bytes} bytes, ${linesOf(content).length} lines.`;
  });
}

async function applyEdits(job: FileJob, path: string, edits: readonly Edit[]): Promise<string> {
  const file = await readText(job, "write", path, job.limits.writtenFileBytes);
  return naming(job, file.place, async () => {
    if (file.isLossy)
      refuse("ENCODING", "Some of its bytes are neither UTF-8 nor UTF-16, so an edit could destroy them. Nothing was changed.");
    const { text, count, known } = edited(file.text, demandSeen(job, file.place, file), edits);
    await saveText(job, file.place, text, { form: file.form, replaces: file, knownLines: known });
    const name = showName(path);
    const { text: diff } = unifiedDiff(file.text, text, { from: name, to: name, maxLines: DIFF_LINES });
    return `Edited ${name}: ${count} ${count === 1 ? "replacement" : "replacements"}.\n${diff}`;
  });
}

interface Edited {
  readonly text: string;
  readonly count: number;
  readonly known: SeenLines;
}

/** The text after all edits and the lines of it that are known. Throws a refusal for the first that cannot be made. */
function edited(original: string, seen: SeenLines, edits: readonly Edit[]): Edited {
  let result: Edited = { text: original, count: 0, known: seen };
  for (const [index, one] of edits.entries()) {
    try {
      result = oneMore(result, one);
    } catch (error) {
      if (edits.length === 1 || !(error instanceof Refusal)) throw error;
      throw new Refusal(error.code, `Edit ${index + 1} of ${edits.length} cannot be made, so none was: ${error.message}`);
    }
  }
  return result;
}

function oneMore({ text, count, known }: Edited, { old_string: oldText, new_string: newText, replace_all: replaceAll }: Edit): Edited {
  if (oldText === "") refuse("INVALID_ARGS", "old_string is empty. Give the text to replace.");
  if (oldText === newText) refuse("INVALID_ARGS", "old_string and new_string are equal.");
  const result = replaceText(text, { oldText, newText, replaceAll });
  if (result.type === "absent") return refuse("NO_MATCH", `old_string is not in the file. ${explainMismatch(text, oldText)}`);
  if (result.type === "ambiguous")
    return refuse(
      "MULTIPLE_MATCHES",
      `old_string occurs ${result.lines.length} times, in lines ${lineList(result.lines)}. Add lines around it until it is unique, or set replace_all.`,
    );
  // When both end a line, the line after them is not touched.
  const last = oldText.endsWith("\n") && newText.endsWith("\n") ? 0 : 1;
  const [removed, added] = [breaks(oldText) + last, breaks(newText) + last];
  for (const from of result.lines)
    if (!hasSeen(known, { from, to: from + linesOf(oldText).length - 1 }))
      refuse("READ_REQUIRED", `You have not read line ${from}, where old_string is. Read it first.`);
  // From the last place to the first, so that the numbers of those before it still hold.
  const after = [...result.lines].reverse().reduce((lines, at) => afterChange(lines, { at, removed, added }), known);
  return { text: result.text, count: count + result.count, known: after };
}

const breaks = (text: string): number => text.split("\n").length - 1;

const SHOWN_LINES = 10;
const lineList = (lines: readonly number[]): string =>
  `${lines.slice(0, SHOWN_LINES).join(", ")}${lines.length > SHOWN_LINES ? ` and ${lines.length - SHOWN_LINES} more` : ""}`;
