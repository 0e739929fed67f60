import { draftTeam } from "@massgen/config";
import type { QuickstartRequest, RunRequest } from "../args/request.js";
import { canAsk } from "../can-ask.js";
import { runDemo } from "../commands/demo.js";
import { runConversation, runQuestion } from "../commands/run.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import { askAbilities, askMembers } from "./ask-team.js";
import { findSomebody } from "./find-somebody.js";
import { findWalls } from "./find-walls.js";
import { quickstartHeadless } from "./headless.js";
import { askQuestion, placeTeam } from "./place-team.js";
import { openPrompts, type Prompts } from "./prompts.js";
import { PROJECT_CONFIG, shownPath, teamText } from "./save-team.js";

/** `massgen --quickstart`, and a first `massgen` on a terminal: a team in under a minute, then its first question. */
export async function quickstart(request: QuickstartRequest, io: Io, session: Session): Promise<ExitCode> {
  if (request.headless || !canAsk(io)) return quickstartHeadless(request, io, session);
  const prompts = await openPrompts(io);
  prompts.open("MassGen: one question, several models, one decision");
  const start = await findSomebody(prompts, io);
  if (start === "demo") return runDemo({ question: request.run.question, record: null, output: request.run.output }, io, session);
  if (start === "later") return 0;
  prompts.say("info", `Ready here: ${start.ready.map(({ name, because }) => `${name} (${because})`).join(", ")}`);

  const members = await askMembers(prompts, start.ready);
  const walls = await findWalls(io, start.home);
  const team = draftTeam(members, await askAbilities(prompts, walls));
  const textFor = (path: string): string => teamText(team, { path, by: "massgen --quickstart", env: start.env });
  const path = await placeTeam(prompts, request.run.config ?? PROJECT_CONFIG, textFor, io);
  return askAndRun(prompts, path, request.run, io, session);
}

/** The first question of a team that was just written or chosen. */
export async function askAndRun(
  prompts: Prompts,
  path: string,
  run: QuickstartRequest["run"],
  io: Io,
  session: Session,
): Promise<ExitCode> {
  const question = await askQuestion(prompts, run.question);
  const shown = shownPath(path, io.cwd);
  const next = shown === PROJECT_CONFIG ? 'massgen "your question"' : `massgen --config ${shown} "your question"`;
  prompts.close(`${question === null ? "Later" : "Next time"}: ${next}`);
  if (question === null) return 0;
  return askChosen({ ...run, config: shown }, question, io, session);
}

/** A question that came with the command is asked alone, as without a wizard; one that was typed begins a conversation. */
export function askChosen(run: RunRequest, question: string, io: Io, session: Session): Promise<ExitCode> {
  return run.question === null ? runConversation({ ...run, question }, io, session) : runQuestion({ ...run, question }, io, session);
}
