import { MassgenError } from "@massgen/contracts";
import { decisionsIn, readRunView } from "@massgen/logs";
import type { SessionTurn } from "@massgen/sdk";
import {
  acceptedAttempt,
  costLine,
  costReport,
  costText,
  decisionText,
  excerpt,
  plainTable,
  slashCommands,
  summaryText,
} from "@massgen/views";
import { toolTable } from "../commands/logs/tools.js";
import { cells } from "../output/columns.js";
import { counted } from "../output/plain/names.js";
import { visibleLine, visibleText } from "../output/visible-text.js";
import { createStory, type Story } from "./ask-turn.js";
import type { Dialogue } from "./dialogue.js";

/** What the commands that only look say; all of it harmless to the terminal. */

const NO_TURN = "nothing has been asked yet\n";
const NO_RECORD = "that turn has no log\n";

const lastTurn = ({ conversation }: Dialogue): SessionTurn | null => conversation.turns.at(-1) ?? null;

/** The last turn as this process saw it, else as its log tells it; `null` when neither does. */
export async function lastStory(dialogue: Dialogue): Promise<Story | null> {
  if (dialogue.last !== null) return dialogue.last;
  const folder = lastTurn(dialogue)?.logDirectory ?? null;
  if (folder === null) return null;
  const story = createStory();
  for await (const decision of decisionsIn(folder)) decision.forEach(story.tell);
  return story.told();
}

const ofLast =
  (tell: (story: Story, argument: string) => string) =>
  async (dialogue: Dialogue, argument: string): Promise<string> => {
    if (dialogue.conversation.turns.length === 0) return NO_TURN;
    const story = await lastStory(dialogue);
    return story === null ? NO_RECORD : tell(story, argument);
  };

export function helpText(): string {
  const rows = slashCommands
    .filter(({ status }) => status === "built")
    .map(({ name, aliases, argument, help }) => [
      `/${name}${argument === null ? "" : ` ${argument}`}`,
      aliases.map((alias) => `/${alias}`).join(" "),
      help,
    ]);
  return `${plainTable([{ title: "command" }, { title: "also" }, { title: "" }], rows, cells)}
Everything else is a question. //text asks /text. """ or ''' begins a text of several lines and ends it; a backslash at the
end of a line continues it. The arrows go through what was typed, Ctrl+R searches it. Ctrl+C clears the line, cancels a turn
that runs, and pressed twice leaves.
`;
}

export function statusText({ conversation, team }: Dialogue): string {
  const agents = team.config.agents.map(({ id, backend }) => [visibleLine(id), visibleLine(backend.model ?? ""), backend.type]);
  const { sessionId, turns } = conversation;
  const last = turns.at(-1);
  return `${plainTable([{ title: "agent" }, { title: "model" }, { title: "backend" }], agents, cells)}
session  ${sessionId ?? "none yet; nothing is kept before the first question"}
turns    ${turns.length}${last === undefined ? "" : `, the last ${last.status === "complete" ? "complete" : "cut off"}`}
config   ${team.path === null ? "from no file" : visibleLine(team.path)}
logs     ${last?.logDirectory == null ? "none" : visibleLine(last.logDirectory)}
`;
}

export function historyText({ conversation: { turns } }: Dialogue): string {
  if (turns.length === 0) return NO_TURN;
  return turns.map((turn) => `${titleOf(turn)}\n> ${visibleText(turn.task)}\n\n${visibleText(turn.answer ?? "(nothing)")}\n`).join("\n");
}

const titleOf = ({ turn, status, winner, timestamp }: SessionTurn): string =>
  `turn ${turn} · ${timestamp.slice(0, 16).replace("T", " ")} · ${status === "complete" ? `by ${visibleLine(winner ?? "nobody")}` : "cut off"}`;

export async function inspectText(dialogue: Dialogue, argument: string): Promise<string> {
  const { turns } = dialogue.conversation;
  if (turns.length === 0) return NO_TURN;
  if (argument === "all") return turns.map((turn) => `${titleOf(turn)} · ${visibleLine(excerpt(turn.task, 80))}\n`).join("");
  const wanted = argument === "" || argument === "c" ? turns.at(-1) : turns.find(({ turn }) => String(turn) === argument);
  if (wanted === undefined)
    throw new MassgenError("USAGE", `There is no turn ${visibleLine(argument)}.`, {
      hint: "A number, all, or c for the last: /inspect all",
    });
  const summary =
    wanted.logDirectory === null
      ? NO_RECORD
      : summaryText(await readRunView(wanted.logDirectory), { cellWidth: cells, show: visibleLine, interrupted: true });
  const files = wanted.workspace === null ? "" : `files    ${visibleLine(wanted.workspace)}\n`;
  return `${titleOf(wanted)}\n${summary}\n${files}logs     ${visibleLine(wanted.logDirectory ?? "none")}\n`;
}

export const eventsText: ReturnType<typeof ofLast> = ofLast(({ lines }, argument) => {
  const count = argument === "" ? 5 : /^[1-9]\d{0,5}$/.test(argument) ? Number(argument) : null;
  if (count === null)
    throw new MassgenError("USAGE", `${visibleLine(argument)} is no number of events.`, { hint: "For instance: /events 20" });
  return `${lines.slice(-count).join("\n")}\n`;
});

export const timelineText: ReturnType<typeof ofLast> = ofLast(({ lines }) => `${lines.join("\n")}\n`);

export const voteText: ReturnType<typeof ofLast> = ofLast(({ view }) => {
  const text = decisionText(view, { cellWidth: cells, simulated: false });
  return text === null ? "it came to no decision in the last turn\n" : visibleText(text);
});

export const answersText: ReturnType<typeof ofLast> = ofLast(({ view }, argument) => {
  const { answers } = acceptedAttempt(view).state;
  if (answers.length === 0) return "there was no answer in the last turn\n";
  if (argument === "")
    return plainTable(
      [{ title: "answer" }, { title: "by" }, { title: "characters", align: "right" }, { title: "begins" }],
      answers.map(({ label, by, content }) => [label, visibleLine(by), String(content.length), visibleLine(excerpt(content, 60))]),
      cells,
    );
  const wanted = answers.find(({ label, by }) => label === argument || by === argument);
  if (wanted !== undefined) return `${visibleText(wanted.content)}\n`;
  throw new MassgenError("USAGE", `There is no answer ${visibleLine(argument)}.`, {
    hint: `There are ${answers.map(({ label }) => label).join(", ")}.`,
  });
});

export async function costTexts(dialogue: Dialogue): Promise<string> {
  const { turns } = dialogue.conversation;
  if (turns.length === 0) return NO_TURN;
  const story = await lastStory(dialogue);
  if (story === null) return NO_RECORD;
  const earlier = [];
  for (const { turn, logDirectory } of turns.slice(0, -1))
    earlier.push(`turn ${turn}: ${logDirectory === null ? "not on record" : costLine(await readRunView(logDirectory))}\n`);
  const before = earlier.length === 0 ? "" : `\n${counted(earlier.length, "turn")} before it:\n${earlier.join("")}`;
  return `${costText(story.view, { cellWidth: cells, show: visibleLine })}${before}`;
}

export const metricsText: ReturnType<typeof ofLast> = ofLast(({ view }) => {
  const tools = Object.entries(costReport(view).tools.by_tool).map(([name, tool]) => ({ name, ...tool }));
  return tools.length === 0 ? "no tool was called in the last turn\n" : toolTable(tools);
});
