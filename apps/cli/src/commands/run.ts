import type { UiConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import type { Session as Conversed } from "@massgen/sdk";
import type { OutputRequest, RunRequest } from "../args/request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import { lookForQuestion } from "./find-question.js";
import { loadTeam } from "./load-team.js";
import { readReferences } from "./read-references.js";

/** `massgen [options] [question]`. */
export async function runQuestion(request: RunRequest, io: Io, session: Session): Promise<ExitCode> {
  if (request.session === "new" || request.session === "none") return runIn(null, request, io, session);
  const resumed = await (await import("./resume-session.js")).resumeSession(request, io);
  try {
    return await runIn(resumed.session, resumed.request, io, session);
  } finally {
    await resumed.session?.close();
  }
}

/** The question of the request, then as many as are typed: how a team goes on that was made or picked at the terminal. */
export async function runConversation(request: RunRequest, io: Io, session: Session): Promise<ExitCode> {
  if (request.output.mode === "automation" || request.output.mode === "events") return runQuestion(request, io, session);
  return runIn(null, { ...request, question: null }, io, session, request.question);
}

/**
 * One question, or as many as are typed when there is none and somebody sits at the terminal. `resumed`: what it goes on with.
 * `first`: begins what is typed.
 */
async function runIn(
  resumed: Conversed | null,
  asked: RunRequest,
  io: Io,
  session: Session,
  first: string | null = null,
): Promise<ExitCode> {
  const request = await readReferences(asked, io);
  const team = await loadTeam(request, io);
  const { config } = team;
  const output = outputOf(request.output, config.ui);
  session.automation = output.mode === "automation" || output.mode === "events";
  const question = first === null ? await lookForQuestion(request.question, config.prompt ?? null, io) : null;
  for (const note of team.notes) io.err.write(`massgen: note: ${note}\n`);
  const origin = config.ui.loggingEnabled ? { configPath: team.path, cliArgs: argumentsOf(request) } : null;
  const start = { output, origin, review: request.review === true, simulated: false, warnings: team.warnings };
  if (question === null) {
    if (session.automation) throw noQuestion();
    const { converse } = await import("../interactive/converse.js");
    return converse({ ...start, team, request, resumed, first }, io, session);
  }
  const [{ startRun }, { keepingOf }, { startConversation }] = await Promise.all([
    import("./start-run.js"),
    import("./resume-session.js"),
    import("@massgen/sdk"),
  ]);
  const plan = { question, ...team.plan };
  return startRun(
    {
      ...start,
      plan,
      converse: (logs, warn) =>
        startConversation({
          ...team.plan,
          logs,
          keep: keepingOf(request, resumed, logs !== null, io, warn),
          isOneShot: request.session === "new" || request.session === "none",
        }),
    },
    io,
    session,
  );
}

const noQuestion = (): MassgenError =>
  new MassgenError("CONFIG_INVALID", "There is no question, and in automation mode nobody is asked for one.", {
    exitCode: 1,
    hint: 'Give it as an argument, massgen --automation "question", or pipe it in.',
  });

/** What the flags leave open, the config decides; what it leaves open too, the terminal. */
export function outputOf(flags: OutputRequest, ui: UiConfig): OutputRequest {
  const named = ui.displayType === "terminal" ? null : ui.displayType === "simple" ? "plain" : "silent";
  const mode = flags.mode ?? (ui.automationMode ? "automation" : named);
  return { ...flags, mode, look: ui, debug: flags.debug || ui.debug };
}

/** What the command line said, for the record; the question is kept beside it. */
export function argumentsOf({ kind: _kind, question: _question, output, ...request }: RunRequest): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries({ ...request, ...output }).filter(([, value]) => value !== null));
}
