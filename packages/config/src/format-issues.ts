import { features } from "./features.js";
import type { ConfigIssue, Severity } from "./issue.js";
import { printable } from "./printable.js";
import { sourceRows } from "./source-line.js";

export interface FormatOptions {
  /** ANSI colours. Off unless asked for. */
  readonly color?: boolean;
  /** The text the issues are about; shows the lines in question. Leave it out when the output is no terminal. */
  readonly source?: { readonly text: string } | null;
}

const marks: Record<Severity, string> = { error: "❌", warning: "⚠️", note: "ℹ️" };
const colours: Record<Severity, string> = { error: "31", warning: "33", note: "36" };

/**
 * The report for people: header, one block per issue, counts. Without issues: that the configuration is valid.
 * Ends without a newline. Expects the order of `LoadedConfig.issues`.
 */
export function formatIssues(issues: readonly ConfigIssue[], options: FormatOptions = {}): string {
  if (issues.length === 0) return "✅ Configuration is valid!";
  const { errors, warnings } = count(issues);
  const header = errors > 0 ? "Configuration Errors Found:" : "Configuration Warnings:";
  const lines = linesOf(options);
  const blocks = gather(issues).map((issue) => render(issue, lines, options.color ?? false));
  const footer = [errors > 0 && plural(errors, "error"), warnings > 0 && plural(warnings, "warning")].filter(Boolean).join(", ");
  return [errors + warnings > 0 ? header : "Configuration Notes:", "", ...blocks, ...(footer === "" ? [] : ["", footer])].join("\n");
}

/** One issue: where and what, the line of the file, what to do. */
export function formatIssue(issue: ConfigIssue, options: FormatOptions = {}): string {
  return render(issue, linesOf(options), options.color ?? false);
}

const linesOf = ({ source }: FormatOptions): readonly string[] | null => source?.text.split("\n") ?? null;

function render(issue: ConfigIssue, lines: readonly string[] | null, color: boolean): string {
  const paint = (code: string, text: string): string => (color ? `\u001b[${code}m${text}\u001b[39m` : text);
  const place = printable([placeOf(issue), issue.path === "" ? "" : `[${issue.path}]`].filter((part) => part !== "").join(" "));
  const rows = [`${marks[issue.severity]} ${place === "" ? "" : `${paint(colours[issue.severity], place)} `}${printable(issue.message)}`];
  if (lines !== null && issue.span !== null) {
    const [line, carets] = sourceRows(lines, issue.span);
    const number = String(issue.span.line).padStart(5);
    rows.push(paint("90", `${number} | ${line}`), paint(colours[issue.severity], `${" ".repeat(number.length)} | ${carets}`));
  }
  if (issue.hint !== "") rows.push(`   💡 ${printable(issue.hint)}`);
  return rows.join("\n");
}

function placeOf({ file, span, message }: ConfigIssue): string {
  // What is wrong with a file as a whole mostly names it already.
  if (span === null) return file === null || message.includes(file) ? "" : `${file}:`;
  return `${file ?? "line"}:${span.line}:${span.column}`;
}

/** Keys of one unbuilt feature make one block, at the first of them: five such keys are one piece of news. */
function gather(issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  const groups = new Map<unknown, ConfigIssue[]>();
  for (const issue of issues) {
    const key = issue.feature === null ? issue : `${issue.code} ${issue.severity} ${issue.feature}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [issue]);
    else group.push(issue);
  }
  return [...groups.values()].map(tellTogether);
}

function tellTogether(group: readonly ConfigIssue[]): ConfigIssue {
  const first = group[0]!;
  if (group.length === 1 || first.feature === null) return first;
  const keys = [...new Set(group.map((issue) => `'${issue.path.replace(/^.*\./, "")}'`))];
  const places = group.length > keys.length ? ` (in ${group.length} places)` : "";
  const what = `${keys.join(", ")}${places} ${keys.length === 1 ? "is" : "are"} known but not supported yet`;
  return { ...first, message: first.code === "CFG120" ? `${what}; ignored: ${features[first.feature]}` : what };
}

interface JsonIssue {
  readonly message: string;
  readonly location: string;
  readonly suggestion: string | null;
  readonly code: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

export interface JsonReport {
  readonly valid: boolean;
  readonly error_count: number;
  readonly warning_count: number;
  readonly errors: readonly JsonIssue[];
  readonly warnings: readonly JsonIssue[];
}

/** The report for programs (`--validate --json`), one entry per issue. Notes are left out. */
export function issuesAsJson(issues: readonly ConfigIssue[]): JsonReport {
  const of = (severity: Severity): readonly JsonIssue[] => issues.filter((issue) => issue.severity === severity).map(toJson);
  const { errors, warnings } = count(issues);
  return { valid: errors === 0, error_count: errors, warning_count: warnings, errors: of("error"), warnings: of("warning") };
}

const toJson = ({ message, path, hint, code, file, span }: ConfigIssue): JsonIssue => ({
  message,
  location: path,
  suggestion: hint === "" ? null : hint,
  code,
  file,
  line: span?.line ?? null,
  column: span?.column ?? null,
});

const count = (issues: readonly ConfigIssue[]): { readonly errors: number; readonly warnings: number } => ({
  errors: issues.filter((issue) => issue.severity === "error").length,
  warnings: issues.filter((issue) => issue.severity === "warning").length,
});

const plural = (amount: number, word: string): string => `${amount} ${word}${amount === 1 ? "" : "s"}`;
