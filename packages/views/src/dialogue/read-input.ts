import { type SlashCommand, slashCommands } from "./slash-commands.js";

/** What a text that a person typed is. */
export type Input =
  | { readonly is: "nothing" }
  | { readonly is: "question"; readonly text: string }
  | { readonly is: "command"; readonly command: SlashCommand; readonly argument: string }
  /** `near`: commands that may have been meant, with their slashes; empty when none is. */
  | { readonly is: "unknown"; readonly word: string; readonly near: readonly string[] };

/** Words that do without the slash. */
const BARE: Readonly<Record<string, string>> = { quit: "quit", exit: "quit", q: "quit", reset: "clear", clear: "clear" };

/**
 * Reads what was typed: a command, or a question. `//text` is the question `/text`; what begins with a slash and is no
 * command is never a question, unless a second slash shows that it is a path.
 */
export function readInput(typed: string): Input {
  const text = typed.trim();
  if (text === "") return { is: "nothing" };
  const bare = Object.hasOwn(BARE, text.toLowerCase()) ? BARE[text.toLowerCase()] : undefined;
  if (bare !== undefined) return { is: "command", command: find(bare)!, argument: "" };
  if (!text.startsWith("/")) return { is: "question", text };
  if (text.startsWith("//")) return { is: "question", text: text.slice(1) };
  const [word = "", ...rest] = text.slice(1).split(/\s+/);
  const command = find(word.toLowerCase());
  if (command !== undefined) return { is: "command", command, argument: text.slice(1 + word.length).trim() };
  if (word.includes("/") && rest.length > 0) return { is: "question", text };
  return { is: "unknown", word: `/${word}`, near: nearest(word.toLowerCase()) };
}

const find = (word: string): SlashCommand | undefined =>
  slashCommands.find((command) => command.name === word || command.aliases.includes(word));

function nearest(word: string): readonly string[] {
  const near = slashCommands
    .map(({ name }) => ({ name, distance: name.startsWith(word) && word !== "" ? 0 : distance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return near.slice(0, 3).map(({ name }) => `/${name}`);
}

/** Letters to change, add or take away; two that changed places count as one. */
function distance(a: string, b: string): number {
  let [before, row]: [readonly number[], readonly number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
