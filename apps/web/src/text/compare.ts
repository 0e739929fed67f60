import { diffWordsWithSpace, structuredPatch } from "diff";

export interface Hunk {
  /** Of the newer text. */
  readonly line: number;
  /** With `+`, `-` or a blank in front. */
  readonly rows: readonly string[];
}

/** A text that takes longer to compare is not compared: the page waits meanwhile. */
const TIMEOUT_MS = 300;

/** What changed, line by line; `null` when the texts differ too much to say it in time. */
export function compare(before: string, after: string): readonly Hunk[] | null {
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, timeout: TIMEOUT_MS });
  // That a text has no line end is nothing to a reader.
  return patch?.hunks.map(({ newStart, lines }) => ({ line: newStart, rows: lines.filter((line) => !line.startsWith("\\")) })) ?? null;
}

export interface Words {
  readonly is: "same" | "added" | "removed";
  readonly text: string;
}

/** What changed, word by word, with all that did not; `null` when the texts differ too much to say it in time. */
export function compareWords(before: string, after: string): readonly Words[] | null {
  const parts = diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS });
  return parts?.map(({ added, removed, value }) => ({ is: added ? "added" : removed ? "removed" : "same", text: value })) ?? null;
}
