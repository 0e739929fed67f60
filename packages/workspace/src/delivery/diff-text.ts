import type { TextDiff } from "@massgen/contracts";
import { structuredPatch } from "diff";

const MAX_BYTES = 2 ** 20;
const TIMEOUT_MS = 1000;

/** How one content became another; `null` is a file that is not there. */
export function diffTexts(path: string, before: Buffer | null, after: Buffer | null): TextDiff {
  if (isBinary(before) || isBinary(after)) return { addedLines: 0, removedLines: 0, diff: null, isBinary: true };
  const [old, now] = [before?.toString("utf8") ?? "", after?.toString("utf8") ?? ""];
  const whole: TextDiff = { addedLines: linesIn(now), removedLines: linesIn(old), diff: null, isBinary: false };
  if (old.length > MAX_BYTES || now.length > MAX_BYTES) return whole;
  const patch = structuredPatch(path, path, old, now, "", "", { context: 3, timeout: TIMEOUT_MS });
  if (patch === undefined) return whole;
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  const startingWith = (sign: string): number => patch.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith(sign)).length;
  const names = [before === null ? "--- /dev/null" : `--- a/${path}`, after === null ? "+++ /dev/null" : `+++ b/${path}`];
  return { addedLines: startingWith("+"), removedLines: startingWith("-"), diff: `${[...names, ...lines].join("\n")}\n`, isBinary: false };
}

const linesIn = (text: string): number => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0));

/** As git judges: a zero byte near the beginning. */
const isBinary = (content: Buffer | null): boolean => content?.subarray(0, 8000).includes(0) ?? false;
