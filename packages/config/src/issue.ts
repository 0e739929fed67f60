import type { FeatureName } from "./features.js";

/** Errors stop a run. Warnings stop it under strict validation only. Notes never do. */
export type Severity = "error" | "warning" | "note";

/** Rule numbers of docs/spec/config.md 24.3, as far as they are built. */
export type IssueCode =
  | "CFG001"
  | "CFG002"
  | "CFG003"
  | "CFG004"
  | "CFG005"
  | "CFG006"
  | "CFG007"
  | "CFG010"
  | "CFG020"
  | "CFG021"
  | "CFG022"
  | "CFG023"
  | "CFG024"
  | "CFG025"
  | "CFG026"
  | "CFG027"
  | "CFG028"
  | "CFG029"
  | "CFG030"
  | "CFG031"
  | "CFG032"
  | "CFG033"
  | "CFG034"
  | "CFG035"
  | "CFG036"
  | "CFG037"
  | "CFG040"
  | "CFG041"
  | "CFG042"
  | "CFG043"
  | "CFG044"
  | "CFG045"
  | "CFG046"
  | "CFG050"
  | "CFG051"
  | "CFG055"
  | "CFG056"
  | "CFG057"
  | "CFG058"
  | "CFG060"
  | "CFG061"
  | "CFG062"
  | "CFG063"
  | "CFG064"
  | "CFG065"
  | "CFG066"
  | "CFG071"
  | "CFG072"
  | "CFG073"
  | "CFG075"
  | "CFG080"
  | "CFG081"
  | "CFG082"
  | "CFG083"
  | "CFG084"
  | "CFG085"
  | "CFG086"
  | "CFG087"
  | "CFG088"
  | "CFG090"
  | "CFG091"
  | "CFG092"
  | "CFG093"
  | "CFG094"
  | "CFG095"
  | "CFG096"
  | "CFG097"
  | "CFG100"
  | "CFG101"
  | "CFG102"
  | "CFG110"
  | "CFG111"
  | "CFG120"
  | "CFG121"
  | "CFG130"
  | "MCP001"
  | "MCP002"
  | "MCP003"
  | "MCP004"
  | "MCP005"
  | "MCP006"
  | "MCP007"
  | "MCP008"
  | "MCP009"
  | "MCP010"
  | "MCP011"
  | "MCP012"
  | "MCP013"
  | "MCP020"
  | "MCP021";

const warningCodes: ReadonlySet<IssueCode> = new Set<IssueCode>([
  "CFG006",
  "CFG021",
  "CFG022",
  "CFG024",
  "CFG040",
  "CFG041",
  "CFG042",
  "CFG043",
  "CFG044",
  "CFG045",
  "CFG055",
  "CFG058",
  "CFG060",
  "CFG061",
  "CFG062",
  "CFG063",
  "CFG064",
  "CFG065",
  "CFG071",
  "CFG072",
  "CFG085",
  "CFG086",
  "CFG096",
  "CFG097",
  "CFG102",
  "CFG110",
  "CFG120",
  "MCP020",
  "MCP021",
]);

/** A run of characters on one line. `line` and `column` count from 1, columns in UTF-16 units as editors do. */
export interface SourceSpan {
  readonly line: number;
  readonly column: number;
  /** Characters to underline; may reach beyond the end of the line when the value does. */
  readonly length: number;
}

export interface ConfigIssue {
  readonly code: IssueCode;
  readonly severity: Severity;
  /** Where the key stands as the user wrote it, `agents[1].backend.type`; empty for the file as a whole. */
  readonly path: string;
  /** One sentence. Never holds a secret or the value of an environment variable. */
  readonly message: string;
  /** What to do about it; empty when the message says it all. */
  readonly hint: string;
  /** The file as the user named it; `null` for a config that did not come from one. */
  readonly file: string | null;
  readonly span: SourceSpan | null;
  /** For CFG120 and CFG121: the feature that is missing. Reports tell all keys of one feature in one place. */
  readonly feature: FeatureName | null;
}

export function defaultSeverity(code: IssueCode): Severity {
  return warningCodes.has(code) ? "warning" : "error";
}

export function hasErrors(issues: readonly ConfigIssue[]): boolean {
  return issues.some((issue) => issue.severity === "error");
}

const rank: Record<Severity, number> = { error: 0, warning: 1, note: 2 };

/**
 * By line, errors before warnings on the same line; what has no place in the file comes first. Stable.
 * One mistake in a block that several agents share through an alias is told once.
 */
export function sortIssues(issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  const seen = new Set<string>();
  const unique = issues.filter((issue) => {
    if (issue.span === null) return true;
    const identity = `${issue.code} ${issue.span.line}:${issue.span.column} ${issue.message}`;
    return !seen.has(identity) && seen.add(identity);
  });
  return unique.sort(
    (a, b) =>
      (a.span?.line ?? 0) - (b.span?.line ?? 0) || rank[a.severity] - rank[b.severity] || (a.span?.column ?? 0) - (b.span?.column ?? 0),
  );
}

/** The same issues with every warning raised to an error: `--strict-validation` and `--validate --strict`. */
export function strictIssues(issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  return issues.map((issue) => (issue.severity === "warning" ? { ...issue, severity: "error" as const } : issue));
}
