import { homedir } from "node:os";
import { formatIssues, issuesAsJson, strictly } from "@massgen/config";
import { loadConfig, loadEnv } from "@massgen/sdk/team";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { visibleJson, visibleText } from "../output/visible-text.js";

/** `massgen --validate FILE`: what is good on stdout, what is not on stderr; with `--json` one object on stdout either way. */
export async function validateFile(
  request: { readonly file: string; readonly strict: boolean; readonly json: boolean },
  io: Io,
): Promise<ExitCode> {
  const home = io.env["HOME"] || homedir();
  const { env } = await loadEnv({ cwd: io.cwd, home, processEnv: io.env });
  const found = await loadConfig(request.file, { env, cwd: io.cwd, home, examplesDir: examplesDir(env) });
  const loaded = request.strict ? strictly(found) : found;
  const code = loaded.config === null ? 1 : 0;
  if (request.json) {
    io.out.write(`${visibleJson(issuesAsJson(loaded.issues))}\n`);
    return code;
  }
  const sink = loaded.issues.length === 0 ? io.out : io.err;
  sink.write(`${visibleText(formatIssues(loaded.issues, { source: loaded.source }))}\n`);
  if (code === 0 && loaded.issues.length > 0) io.out.write("The configuration is valid.\n");
  return code;
}
