import { type ConfigIssue, formatIssues, hasErrors, issuesAsJson, type LoadedConfig, strictIssues } from "@massgen/config";
import { missingPaths } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import { loadConfig } from "@massgen/sdk/team";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { visibleJson, visibleText } from "../output/visible-text.js";
import { homeOf, readEnv } from "../read-env.js";

/** `massgen --validate FILE`: what is good on stdout, what is not on stderr; with `--json` one object on stdout either way. */
export async function validateFile(
  request: { readonly file: string; readonly strict: boolean; readonly json: boolean },
  io: Io,
): Promise<ExitCode> {
  const home = homeOf(io);
  const { env } = await readEnv(io);
  const found = await loadConfig(request.file, { env, cwd: io.cwd, home, examplesDir: examplesDir(env) }).catch(asIssues);
  const missing = "config" in found ? await missingPaths(found, { cwd: io.cwd, home }) : [];
  const all = [...found.issues, ...missing];
  const issues = request.strict ? strictIssues(all) : all;
  const code = hasErrors(issues) ? 1 : 0;
  if (request.json) {
    io.out.write(`${visibleJson(issuesAsJson(issues))}\n`);
    return code;
  }
  const sink = issues.length === 0 ? io.out : io.err;
  sink.write(`${visibleText(formatIssues(issues, { source: found.source }))}\n`);
  if (code === 0 && issues.length > 0) io.out.write("The configuration is valid.\n");
  return code;
}

/** A file that is not there is a finding like any other. */
function asIssues(error: unknown): Pick<LoadedConfig, "source" | "issues"> {
  if (!MassgenError.is(error, "CONFIG_NOT_FOUND") || error.issues.length === 0) throw error;
  // `loadConfig` puts the finding of the search there.
  return { source: null, issues: error.issues as readonly ConfigIssue[] };
}
