/** Lines of a text that is not whole yet. `mark`: what will end the block; `null` for lines that were continued by a backslash. */
export interface PendingLines {
  readonly mark: string | null;
  readonly lines: readonly string[];
}

export type JoinedLines = { readonly is: "whole"; readonly text: string } | { readonly is: "more"; readonly pending: PendingLines };

const MARKS = ['"""', "'''"] as const;

/**
 * Adds a typed line to those before it. A line that begins with `"""` or `'''` starts a block that ends with the same mark at
 * the end of a line; a backslash at the end of a line outside of one continues it in the next, two are one backslash.
 */
export function joinLines(pending: PendingLines | null, line: string): JoinedLines {
  if (pending === null) {
    const mark = MARKS.find((one) => line.trimStart().startsWith(one));
    return mark === undefined ? continued([], line) : block(mark, [], line.trimStart().slice(mark.length));
  }
  return pending.mark === null ? continued(pending.lines, line) : block(pending.mark, pending.lines, line);
}

function block(mark: string, before: readonly string[], line: string): JoinedLines {
  const end = line.trimEnd();
  if (!end.endsWith(mark)) return { is: "more", pending: { mark, lines: [...before, line] } };
  return { is: "whole", text: [...before, end.slice(0, -mark.length)].join("\n").replace(/^\n|\n$/g, "") };
}

function continued(before: readonly string[], line: string): JoinedLines {
  const slashes = /\\*$/.exec(line)?.[0].length ?? 0;
  const kept = line.slice(0, line.length - Math.ceil(slashes / 2));
  if (slashes % 2 === 1) return { is: "more", pending: { mark: null, lines: [...before, kept] } };
  return { is: "whole", text: [...before, kept].join("\n") };
}
