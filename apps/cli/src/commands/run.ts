import { homedir } from "node:os";
import { type ConfigIssue, formatIssue, requireConfig, strictly } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { loadEnv, prepareRun, resolveTeam } from "@massgen/sdk";
import type { RunRequest } from "../args/request.js";
import type { Session } from "../errors.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { chooseScreen } from "../output/choose-screen.js";
import { execute } from "./execute.js";
import { findQuestion } from "./find-question.js";

/** `massgen [options] [question]`. */
export async function runQuestion(request: RunRequest, io: Io, session: Session): Promise<ExitCode> {
  const home = io.env["HOME"] || homedir();
  const { env, warnings: envWarnings } = await loadEnv({ cwd: io.cwd, home, processEnv: io.env });
  const team = await resolveTeam(teamOptions(request), { env, cwd: io.cwd, home, examplesDir: examplesDir(env) }).catch(withFlagHint);
  const loaded = request.validation === "strict" ? strictly(team.loaded) : team.loaded;
  const config = requireConfig(loaded);
  const question = await findQuestion(request.question, config.prompt ?? null, io);
  const prepared = await prepareRun({ question, loaded, env, signal: io.interrupt });
  const warnings = [
    ...envWarnings.map(({ file, line, message }) => `${file}${line === null ? "" : `:${line}`}: ${message}`),
    ...(request.validation === "skip" ? [] : warningTexts(loaded.issues)),
  ];
  return execute(
    { question, prepared, screen: chooseScreen(request.output, io), output: request.output, simulated: false, warnings },
    io,
    session,
  );
}

function teamOptions(request: RunRequest): Parameters<typeof resolveTeam>[0] {
  const { config, model, backend, baseUrl, systemMessage, timeoutSeconds } = request;
  return {
    ...(config === null ? {} : { config }),
    ...(model === null ? {} : { model }),
    ...(backend === null ? {} : { backend }),
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(systemMessage === null ? {} : { systemMessage }),
    ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
  };
}

/** One line per warning, with the place in the file. */
function warningTexts(issues: readonly ConfigIssue[]): readonly string[] {
  return issues
    .filter(({ severity }) => severity === "warning")
    .map((issue) =>
      formatIssue(issue)
        .replace(/^\S+ /, "")
        .replaceAll(/\s*\n\s*/g, " "),
    );
}

function withFlagHint(error: unknown): never {
  if (MassgenError.is(error, "CONFIG_NOT_FOUND") && error.issues.length === 0) {
    throw new MassgenError("CONFIG_NOT_FOUND", error.message, {
      exitCode: 1,
      hint: "Name a team with --config <file>, or one model with --model <name>. Without a key: massgen demo",
      cause: error,
    });
  }
  throw error;
}
