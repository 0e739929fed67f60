import type { FeatureName } from "./features.js";
import { type ConfigIssue, defaultSeverity, type IssueCode, type Severity, type SourceSpan } from "./issue.js";
import { maskKeys } from "./secrets.js";
import { type ConfigNode, pathOf, type TextRange } from "./tree.js";

interface Report {
  /** What the caret stands under. `key` falls back to the value where there is no key, as in a list. */
  readonly on?: "key" | "value";
  readonly hint?: string;
  readonly severity?: Severity;
  readonly feature?: FeatureName;
}

/** Collects the problems of one config. All of them are shown together. */
export interface Reporter {
  readonly issues: ConfigIssue[];
  report(code: IssueCode, node: ConfigNode, message: string, options?: Report): void;
  /** A problem of the text, or of the file as a whole when `range` is `null`. */
  reportRange(code: IssueCode, range: TextRange | null, message: string, hint?: string): void;
  /** 1-based line of a node's key, or of the node; `null` without a file. */
  lineOf(node: ConfigNode): number | null;
  locate(range: TextRange | null): SourceSpan | null;
}

/** `lineStarts`: offsets of the first character of every line, ascending; empty for a config that did not come from a text. */
export function createReporter(file: string | null, lineStarts: readonly number[]): Reporter {
  const issues: ConfigIssue[] = [];
  const locate = (range: TextRange | null): SourceSpan | null => {
    if (range === null || lineStarts.length === 0) return null;
    const line = lineAt(lineStarts, range[0]);
    return { line, column: range[0] - lineStarts[line - 1]! + 1, length: Math.max(1, range[1] - range[0]) };
  };
  // A key can stand anywhere, as the id of an agent too, and from there get into a list of what would be right.
  const add = (issue: ConfigIssue): void => {
    issues.push({ ...issue, message: maskKeys(issue.message), hint: maskKeys(issue.hint) });
  };
  return {
    issues,
    locate,
    report(code, node, message, { on = "value", hint = "", severity = defaultSeverity(code), feature } = {}) {
      const span = locate(on === "key" ? (node.keyRange ?? node.range) : node.range);
      add({ code, severity, path: maskKeys(pathOf(node)), message, hint, file, span, feature: feature ?? null });
    },
    reportRange(code, range, message, hint = "") {
      add({ code, severity: defaultSeverity(code), path: "", message, hint, file, span: locate(range), feature: null });
    },
    lineOf: (node) => locate(node.keyRange ?? node.range)?.line ?? null,
  };
}

/** Offsets at which the lines of a text begin. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
