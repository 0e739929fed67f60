import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import type { ConfigIssue, IssueCode } from "../issue.js";
import { didYouMean, nearest } from "../nearest.js";
import type { LoadedConfig, ParseOptions } from "../parse-config.js";
import { noPositions } from "../positions.js";
import { createReporter } from "../reporter.js";
import { decodeText } from "./decode-text.js";
import { errorCodeOf } from "./error-code.js";
import { createRememberingParser } from "./remember-parsed.js";

export const configExtensions: readonly string[] = [".yaml", ".yml", ".json"];

/** The largest config seen has 9 kB; a file of this size was named by mistake. */
const MAX_BYTES = 10_000_000;

const parse = createRememberingParser();

/**
 * Reads a config file. `path` is what is opened; `options.file`, else `path`, is how messages call it.
 * Never rejects: a file that cannot be read is an issue like any other (CFG001–CFG003).
 */
export async function loadConfig(path: string, options: ParseOptions = {}): Promise<LoadedConfig> {
  const shown = options.file ?? path;
  const extension = extname(path).toLowerCase();
  try {
    const found = await stat(path);
    if (found.isDirectory()) return failed("CFG002", `cannot read ${shown}: it is a folder`, "Name the file in it.", shown);
    if (!configExtensions.includes(extension))
      return failed("CFG003", `unsupported file type '${extension}'`, "Use .yaml, .yml or .json.", shown);
    if (found.size > MAX_BYTES) return failed("CFG002", `cannot read ${shown}: it is larger than 10 MB`, "", shown);
    const decoded = decodeText(await readFile(path));
    if (!decoded.ok) return failed("CFG002", `cannot read ${shown}: ${decoded.reason}`, "", shown);
    return parse(decoded.text, { ...options, file: shown });
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      return failed("CFG001", `config file not found: ${shown}`, didYouMean(await neighbours(path)), shown);
    return failed("CFG002", `cannot read ${shown}: ${code === "EACCES" ? "permission denied" : code}`, "", shown);
  }
}

function failed(code: IssueCode, message: string, hint: string, file: string): LoadedConfig {
  const reporter = createReporter(file, []);
  reporter.reportRange(code, null, message, hint);
  const issues: readonly ConfigIssue[] = reporter.issues;
  return { config: null, raw: null, overrides: {}, source: null, positions: noPositions, issues, secrets: [] };
}

const isConfig = (name: string): boolean => configExtensions.includes(extname(name).toLowerCase());

/** Config files in the folder of a path whose names are close to its own. */
export async function neighbours(path: string): Promise<readonly string[]> {
  try {
    const names = await readdir(dirname(path));
    const stems = new Map(names.filter(isConfig).map((name) => [basename(name, extname(name)), name]));
    return nearest(basename(path, extname(path)), stems.keys()).map((stem) => stems.get(stem)!);
  } catch {
    // No such folder: there is nobody to suggest.
    return [];
  }
}
