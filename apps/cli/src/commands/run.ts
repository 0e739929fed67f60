import { homedir } from "node:os";
import { dirname } from "node:path";
import { strictly, type UiConfig } from "@massgen/config";
import { loadEnv, resolveTeam } from "@massgen/sdk/team";
import type { OutputRequest, RunRequest } from "../args/request.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import { demandConfig, issueTexts } from "./config-issues.js";
import { findQuestion } from "./find-question.js";
import { teamOptions, withFlagHint } from "./team-options.js";

/** The config writes a model's name in another way than its vendor. */
const MODEL_MENDED = "CFG066";

/** `massgen [options] [question]`. */
export async function runQuestion(request: RunRequest, io: Io, session: Session): Promise<ExitCode> {
  const home = io.env["HOME"] || homedir();
  const { env, warnings: envWarnings } = await loadEnv({ cwd: io.cwd, home, processEnv: io.env });
  const team = await resolveTeam(teamOptions(request), { env, cwd: io.cwd, home, examplesDir: examplesDir(env) }).catch(withFlagHint);
  const loaded = request.validation === "strict" ? strictly(team.loaded) : team.loaded;
  const config = demandConfig(loaded);
  const question = await findQuestion(request.question, config.prompt ?? null, io);
  const warnings = [
    ...envWarnings.map(({ file, line, message }) => `${file}${line === null ? "" : `:${line}`}: ${message}`),
    ...(request.validation === "skip" ? [] : issueTexts(loaded.issues, "warning")),
  ];
  for (const note of issueTexts(
    loaded.issues.filter(({ code }) => code === MODEL_MENDED),
    "note",
  ))
    io.err.write(`massgen: note: ${note}\n`);
  const origin = config.ui.loggingEnabled ? { configPath: team.path, cliArgs: argumentsOf(request) } : null;
  const modulesFrom = [...(team.path === null ? [] : [dirname(team.path)]), io.cwd];
  const { startRun } = await import("./start-run.js");
  const output = outputOf(request.output, config.ui);
  session.automation = output.mode === "automation" || output.mode === "events";
  return startRun(
    {
      plan: { question, loaded, env, modulesFrom, rateLimits: team.rateLimits, prices: team.prices },
      output,
      origin,
      simulated: false,
      warnings,
    },
    io,
    session,
  );
}

/** What the flags leave open, the config decides; what it leaves open too, the terminal. */
function outputOf(flags: OutputRequest, ui: UiConfig): OutputRequest {
  const named = ui.displayType === "terminal" ? null : ui.displayType === "simple" ? "plain" : "silent";
  return { ...flags, mode: flags.mode ?? (ui.automationMode ? "automation" : named), debug: flags.debug || ui.debug };
}

/** What the command line said, for the record; the question is kept beside it. */
function argumentsOf({ kind: _kind, question: _question, output, ...request }: RunRequest): unknown {
  return Object.fromEntries(Object.entries({ ...request, ...output }).filter(([, value]) => value !== null));
}
