import { structuredPatch } from "diff";
import { toLf } from "./replace-text.js";
import { showText } from "./show-text.js";

export interface UnifiedDiff {
  /** Cut at `maxLines`, with a note; empty for equal texts. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

export interface DiffOptions {
  readonly from: string;
  readonly to: string;
  readonly contextLines?: number;
  readonly maxLines: number;
}

/** Two texts this different are not compared line by line to the end: it would take minutes and help nobody. */
const COMPARE_MS = 2_000;

/** What changes from one text to the other. Line ends count as equal; control characters of the files are shown escaped. */
export function unifiedDiff(before: string, after: string, { from, to, contextLines = 3, maxLines }: DiffOptions): UnifiedDiff {
  const patch = structuredPatch(from, to, toLf(before), toLf(after), undefined, undefined, { context: contextLines, timeout: COMPARE_MS });
  if (patch === undefined) return { text: "(too different to compare line by line)", added: 0, removed: 0 };
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map((line) => showText(cutLine(line))),
  ]);
  const added = count(patch.hunks, "+");
  const removed = count(patch.hunks, "-");
  if (lines.length === 0) return { text: "", added, removed };
  const head = [`--- ${from}`, `+++ ${to}`];
  const left = lines.length - maxLines;
  const shown = left > 0 ? [...lines.slice(0, maxLines), `[… ${left} more lines of the diff left out …]`] : lines;
  return { text: [...head, ...shown].join("\n"), added, removed };
}

const count = (hunks: readonly { readonly lines: readonly string[] }[], sign: string): number =>
  hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0);

const LINE_CHARS = 500;
const cutLine = (line: string): string => (line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}… [line cut]` : line);
