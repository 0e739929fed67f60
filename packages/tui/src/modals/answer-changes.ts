import { structuredPatch } from "diff";
import type { Role, Style } from "../style.js";
import { cut, linesOf } from "../text.js";

/** A text that takes longer to compare is shown as it is: the screen waits meanwhile. */
const TIMEOUT_MS = 200;

interface Compared {
  readonly before: string;
  readonly after: string;
  /** `null`: they differ too much to say it in time. */
  readonly lines: readonly string[] | null;
}

/** Frames come many times a second, and what is open stays the same. */
let last: Compared | null = null;

/** What an answer changed of the one before it, as rows: what came and what went have a sign besides their colour. */
export function changedLines(before: string, after: string, width: number, style: Style): readonly string[] {
  const { lines } = compare(before, after);
  if (lines === null) return [style("faint", cut("They differ too much to be compared.", width))];
  if (lines.length === 0) return [style("faint", cut("Nothing changed.", width))];
  return lines.flatMap((line) => {
    const sign = line.slice(0, 1);
    if (sign === "@") return [style("accent", cut(line, width))];
    return linesOf(line.slice(1), width - 2).map((row) => style(ROLES.get(sign) ?? "plain", `${sign} ${row}`));
  });
}

function compare(before: string, after: string): Compared {
  if (last?.before === before && last.after === after) return last;
  const patch = structuredPatch("", "", ended(before), ended(after), "", "", { context: 3, timeout: TIMEOUT_MS });
  const lines = patch?.hunks.flatMap(({ oldStart, newStart, lines }) => [
    `@ line ${oldStart}${oldStart === newStart ? "" : `, now ${newStart}`}`,
    ...lines,
  ]);
  last = { before, after, lines: lines ?? null };
  return last;
}

/** That a text has no line end is nothing to a reader. */
const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

const ROLES: ReadonlyMap<string, Role> = new Map([
  ["+", "good"],
  ["-", "bad"],
]);
