import type { UiConfig } from "@massgen/config";
import type { OutputRequest, RunRequest } from "../args/request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import { findQuestion } from "./find-question.js";
import { loadTeam } from "./load-team.js";
import { readReferences } from "./read-references.js";

/** Runs one question with the team of the command line. */
export async function runQuestion(asked: RunRequest, io: Io, session: Session): Promise<ExitCode> {
  const request = await readReferences(asked, io);
  const team = await loadTeam(request, io);
  const { config } = team;
  const question = await findQuestion(request.question, config.prompt ?? null, io);
  for (const note of team.notes) io.err.write(`massgen: note: ${note}\n`);
  const origin = config.ui.loggingEnabled ? { configPath: team.path, cliArgs: argumentsOf(request) } : null;
  const { startRun } = await import("./start-run.js");
  const output = outputOf(request.output, config.ui);
  session.automation = output.mode === "automation" || output.mode === "events";
  const plan = { question, ...team.plan };
  const review = request.review === true;
  return startRun({ plan, output, origin, review, simulated: false, warnings: team.warnings }, io, session);
}

/** What the flags leave open, the config decides; what it leaves open too, the terminal. */
export function outputOf(flags: OutputRequest, ui: UiConfig): OutputRequest {
  const named = ui.displayType === "terminal" ? null : ui.displayType === "simple" ? "plain" : "silent";
  return { ...flags, mode: flags.mode ?? (ui.automationMode ? "automation" : named), debug: flags.debug || ui.debug };
}

/** What the command line said, for the record; the question is kept beside it. */
export function argumentsOf({ kind: _kind, question: _question, output, ...request }: RunRequest): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries({ ...request, ...output }).filter(([, value]) => value !== null));
}
