import { homedir } from "node:os";
import { strictly } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { loadEnv, resolveTeam } from "@massgen/sdk";
import type { RunRequest } from "../args/request.js";
import type { Session } from "../errors.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { demandConfig, issueTexts } from "./config-issues.js";
import { findQuestion } from "./find-question.js";

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
  const { startRun } = await import("./start-run.js");
  return startRun({ plan: { question, loaded, env }, output: request.output, simulated: false, warnings }, io, session);
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
