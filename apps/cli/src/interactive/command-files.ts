import { access, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { safeNames } from "@massgen/logs";
import type { Io } from "../io.js";
import { visibleLine, visibleText } from "../output/visible-text.js";
import { lastStory } from "./command-texts.js";
import type { Dialogue } from "./dialogue.js";

const NO_TURN = "nothing has been asked yet\n";
const MOST_FILES = 200;

/** Everything an agent said in the last turn, from its log. */
export async function agentOutput(dialogue: Dialogue, argument: string): Promise<string> {
  const { conversation, team } = dialogue;
  const turn = conversation.turns.at(-1);
  if (turn === undefined) return NO_TURN;
  if (turn.logDirectory === null) return "that turn has no log\n";
  const ids = team.config.agents.map(({ id }) => id);
  const agent =
    argument === "" && ids.length === 1 ? ids[0]! : ids.find((id, index) => id === argument || `agent${index + 1}` === argument);
  if (agent === undefined)
    throw new MassgenError("USAGE", argument === "" ? "Whose output?" : `There is no agent ${visibleLine(argument)}.`, {
      hint: `The agents are ${ids.map(visibleLine).join(", ")}.`,
    });
  const attempt = (await lastStory(dialogue))?.view.state.attempt ?? 1;
  const file = join("agent_outputs", `${safeNames(ids).get(agent) ?? agent}.txt`);
  const places = [join(turn.logDirectory, `attempt_${attempt}`, file), join(turn.logDirectory, file)];
  for (const place of places) {
    const text = await readFile(place, "utf8").catch(() => null);
    if (text !== null) return `${visibleText(text)}\n`;
  }
  return `${visibleLine(agent)} said nothing in the last turn\n`;
}

export async function turnWorkspace({ conversation }: Dialogue): Promise<string> {
  const turn = conversation.turns.at(-1);
  if (turn === undefined) return NO_TURN;
  const folders = [...(turn.workspace === null ? [] : [turn.workspace]), ...turn.workspaces.values()];
  return folders.length === 0 ? "the last turn left no files\n" : folders.map((folder) => `${visibleLine(folder)}\n`).join("");
}

export async function turnFiles({ conversation }: Dialogue): Promise<string> {
  const turn = conversation.turns.at(-1);
  if (turn === undefined) return NO_TURN;
  if (turn.workspace === null) return "no files came with the last answer\n";
  const entries = await readdir(turn.workspace, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const shown = files
    .toSorted()
    .slice(0, MOST_FILES)
    .map((file) => `${visibleLine(file.slice(turn.workspace!.length + 1))}\n`);
  const more = files.length > MOST_FILES ? `… and ${files.length - MOST_FILES} more\n` : "";
  return `${visibleLine(turn.workspace)}\n${shown.join("")}${more}`;
}

/** Writes the last answer to a file. One that is there and was not written by it is left alone. */
export async function savedAnswer({ conversation, saved }: Dialogue, argument: string, { cwd }: Io): Promise<string> {
  const answer = conversation.turns.findLast((turn) => turn.status === "complete")?.answer ?? null;
  if (answer === null) return "there is no answer yet\n";
  const file = resolve(cwd, argument === "" ? "answer.md" : argument);
  if (!saved.has(file) && (await isThere(file)))
    throw new MassgenError("USAGE", `${visibleLine(file)} is there already.`, { hint: "Name another file: /save <path>" });
  try {
    await writeFile(file, answer.endsWith("\n") ? answer : `${answer}\n`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MassgenError("STORE_FAILED", `The answer could not be written to ${visibleLine(file)}: ${why}.`, { cause });
  }
  saved.add(file);
  return `${visibleLine(file)}\n`;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
