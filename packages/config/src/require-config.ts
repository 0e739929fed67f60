import { MassgenError } from "@massgen/contracts";
import type { MassgenConfig } from "./config.js";
import { formatIssue } from "./format-issues.js";
import type { LoadedConfig } from "./parse-config.js";

/**
 * The config, or a `MassgenError` with all issues: `CONFIG_NOT_FOUND` and `CONFIG_INVALID` with exit code 1,
 * `USAGE` with 2 when flags do not fit the config. The message is that of the first error.
 */
export function requireConfig({ config, issues }: LoadedConfig): MassgenConfig {
  if (config !== null) return config;
  const errors = issues.filter((issue) => issue.severity === "error");
  const first = errors[0];
  if (first === undefined) throw new MassgenError("CONFIG_INVALID", "The configuration could not be read.", { exitCode: 1 });
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = formatIssue({ ...first, hint: "" }).replace(/^\S+ /, "") + more;
  const code = first.code === "CFG001" ? "CONFIG_NOT_FOUND" : first.code === "CFG130" ? "USAGE" : "CONFIG_INVALID";
  throw new MassgenError(code, message, { exitCode: code === "USAGE" ? 2 : 1, hint: first.hint, issues });
}
