import type { KnownFile, LineRange } from "@massgen/policy";

/** Lines of a file an agent has seen, `null` for all. */
export type SeenLines = KnownFile["seen"];

export interface LineChange {
  /** The first line that changes. */
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

/** What is known of a file after `removed` lines from `at` on gave way to `added` others that are known. */
export function afterChange(lines: SeenLines, { at, removed, added }: LineChange): SeenLines {
  if (lines === null) return null;
  const shift = added - removed;
  const parts = lines.flatMap(({ from, to }) => [
    { from, to: Math.min(to, at - 1) },
    { from: Math.max(from, at + removed) + shift, to: to + shift },
  ]);
  return [...parts, { from: at, to: at + added - 1 }].filter(({ from, to }) => from <= to);
}

/** Whether every line from `range.from` to `range.to` was seen. */
export function hasSeen(lines: SeenLines, range: LineRange): boolean {
  if (lines === null) return true;
  let next = range.from;
  for (const known of [...lines].sort((a, b) => a.from - b.from)) if (known.from <= next) next = Math.max(next, known.to + 1);
  return next > range.to;
}
