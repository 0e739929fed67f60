import { type ConfigIssue, formatIssue, type LoadedConfig, type MassgenConfig, requireConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";

/** @throws MassgenError whose message has one line for each error of the config */
export function demandConfig(loaded: LoadedConfig): MassgenConfig {
  try {
    return requireConfig(loaded);
  } catch (error) {
    const lines = issueTexts(loaded.issues, "error");
    if (!MassgenError.is(error) || lines.length === 0) throw error;
    throw new MassgenError(error.code, lines.join("\n"), { exitCode: error.exitCode, issues: error.issues, cause: error });
  }
}

/** One line per issue: the place in the file, what is wrong, what to do. */
export const issueTexts = (issues: readonly ConfigIssue[], severity: ConfigIssue["severity"]): readonly string[] =>
  issues.filter((issue) => issue.severity === severity).map(issueText);

function issueText(issue: ConfigIssue): string {
  // The mark in front is for a screen full of issues, not for a line.
  const text = formatIssue({ ...issue, hint: "" })
    .replace(/^\S+ /, "")
    .replaceAll(/\s*\n\s*/g, " ");
  return issue.hint === "" ? text : `${text}. ${issue.hint}`;
}
