import { MassgenError } from "@massgen/contracts";
import type { SlashCommand } from "@massgen/views";
import type { Io } from "../io.js";
import { agentOutput, savedAnswer, turnFiles, turnWorkspace } from "./command-files.js";
import * as texts from "./command-texts.js";
import type { Dialogue } from "./dialogue.js";
import { mcpText } from "./mcp-command.js";

type Answer = (dialogue: Dialogue, argument: string, io: Io) => string | Promise<string>;

/** What each command of the table says; `quit` is what whoever reads lines does. */
const answers: Readonly<Record<string, Answer>> = {
  help: texts.helpText,
  status: texts.statusText,
  config: showConfig,
  clear: forget,
  cancel: () => "nothing is running; Ctrl+C cancels a turn that is\n",
  history: texts.historyText,
  inspect: texts.inspectText,
  events: texts.eventsText,
  timeline: texts.timelineText,
  vote: texts.voteText,
  answers: texts.answersText,
  output: agentOutput,
  cost: texts.costTexts,
  metrics: texts.metricsText,
  mcp: mcpText,
  workspace: turnWorkspace,
  files: turnFiles,
  save: savedAnswer,
};

/**
 * Does what a command asks and writes what it says to standard output.
 *
 * @throws MassgenError `NOT_SUPPORTED` for a command of a feature that is not built, `USAGE` for an argument that is none
 */
export async function answerCommand(dialogue: Dialogue, command: SlashCommand, argument: string, io: Io): Promise<void> {
  const answer = answers[command.name];
  if (command.status === "known" || answer === undefined) {
    throw new MassgenError("NOT_SUPPORTED", `/${command.name} is known but not supported yet.`, {
      exitCode: 1,
      hint: "What works: /help",
    });
  }
  io.out.write(await answer(dialogue, argument, io));
}

async function forget(dialogue: Dialogue): Promise<string> {
  await dialogue.conversation.forget();
  dialogue.last = null;
  return "forgotten; the next question begins a new conversation with the same agents\n";
}

async function showConfig({ team }: Dialogue, _argument: string, io: Io): Promise<string> {
  if (team.path === null) return "this team comes from no file; massgen config explain shows its values\n";
  if (!(await io.edit(team.path))) return `${team.path}\nVISUAL or EDITOR would open it here\n`;
  return `${team.path}\nwhat was changed counts from the next start: massgen --continue\n`;
}
