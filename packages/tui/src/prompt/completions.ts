import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import { slashCommands, visibleText } from "@massgen/views";

/** An entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface CompletionPlaces {
  /** What is in a folder, relative to where the program was started; empty for what is none. `~` is the home. */
  readonly list: (folder: string) => Promise<readonly FolderEntry[]>;
}

/** Entries that are offered at a time. */
const MOST = 50;
/** `/` and letters at the beginning of the text; `@` and a path, or one in quotes, anywhere. */
const COMMAND = /^\/([a-z-]*)$/;
const PATH = /(?:^|\s)@("[^"]*|[^\s"]*)$/;
/** What needs no quotes in a question (docs/spec/cli.md 13). */
const BARE = /^[\p{L}\p{M}\p{N}_./~+-]*[\p{L}\p{M}\p{N}_/~+-]$/u;

/** Commands behind `/`, files and folders behind `@`, folder by folder. */
export function createCompletions({ list }: CompletionPlaces): AutocompleteProvider {
  return {
    async getSuggestions(lines, line, column) {
      const before = (lines[line] ?? "").slice(0, column);
      const command = line === 0 ? COMMAND.exec(before)?.[1] : undefined;
      if (command !== undefined) return found(commandItems(command), `/${command}`);
      const path = PATH.exec(before)?.[1];
      // With its `@`: Enter sends what is completed behind a `/`, and chooses everywhere else.
      return path === undefined ? null : found(await pathItems(path, list), `@${path}`);
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? "";
      const start = text.slice(0, column - prefix.length);
      const rest = text.slice(column);
      const isQuoted = item.value.startsWith('@"');
      const behind = isQuoted && rest.startsWith('"') ? rest.slice(1) : rest;
      // A folder is gone into, within its quotes; whatever else is complete.
      const isFolder = /\/"?$/.test(item.value);
      const end = isFolder || behind.startsWith(" ") ? "" : " ";
      const next = [...lines];
      next[line] = `${start}${item.value}${end}${behind}`;
      const cursorCol = start.length + item.value.length + end.length - (isFolder && isQuoted ? 1 : 0);
      return { lines: next, cursorLine: line, cursorCol };
    },
    shouldTriggerFileCompletion: (lines, line, column) => PATH.test((lines[line] ?? "").slice(0, column)),
  };
}

const found = (items: readonly AutocompleteItem[], prefix: string): { items: AutocompleteItem[]; prefix: string } | null =>
  items.length === 0 ? null : { items: [...items], prefix };

const commandItems = (word: string): readonly AutocompleteItem[] =>
  slashCommands
    .filter(({ name, aliases, status }) => status === "built" && (name.startsWith(word) || aliases.includes(word)))
    .map(({ name, argument, help }) => ({
      value: `/${name}`,
      label: `/${name}${argument === null ? "" : ` ${argument}`}`,
      description: help,
    }));

async function pathItems(typed: string, list: CompletionPlaces["list"]): Promise<readonly AutocompleteItem[]> {
  const path = typed.replace(/^"/, "");
  const cut = path.lastIndexOf("/") + 1;
  const [folder, name] = [path.slice(0, cut), path.slice(cut)];
  const entries = await list(folder === "" ? "." : folder);
  return entries
    .filter((entry) => entry.name.toLowerCase().startsWith(name.toLowerCase()) && (name.startsWith(".") || !entry.name.startsWith(".")))
    .filter((entry) => isNameable(entry.name))
    .toSorted((one, other) => Number(other.isFolder) - Number(one.isFolder) || (one.name < other.name ? -1 : 1))
    .slice(0, MOST)
    .map((entry) => {
      const label = `${entry.name}${entry.isFolder ? "/" : ""}`;
      const whole = folder + label;
      return { value: typed.startsWith('"') || !BARE.test(whole) ? `@"${whole}"` : `@${whole}`, label };
    });
}

/** The name of a file is foreign text: one that could command the terminal is not offered, and no question can name it. */
const isNameable = (name: string): boolean => !/["\n\t]/.test(name) && visibleText(name) === name;
