import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import { slashCommands } from "@massgen/views";

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
/** `/` and letters at the beginning of the text; `@` and a path anywhere. */
const COMMAND = /^\/([a-z-]*)$/;
const PATH = /(?:^|\s)@("?)([^\s"]*)$/;

/** Commands behind `/`, files and folders behind `@`, folder by folder. */
export function createCompletions({ list }: CompletionPlaces): AutocompleteProvider {
  return {
    async getSuggestions(lines, line, column) {
      const before = (lines[line] ?? "").slice(0, column);
      const command = line === 0 ? COMMAND.exec(before)?.[1] : undefined;
      if (command !== undefined) return found(commandItems(command), `/${command}`);
      const path = PATH.exec(before)?.[2];
      return path === undefined ? null : found(await pathItems(path, list), path);
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? "";
      const start = text.slice(0, column - prefix.length);
      const rest = text.slice(column);
      // A folder is gone into; whatever else is complete.
      const end = item.value.endsWith("/") || rest.startsWith(" ") ? "" : " ";
      const next = [...lines];
      next[line] = `${start}${item.value}${end}${rest}`;
      return { lines: next, cursorLine: line, cursorCol: start.length + item.value.length + end.length };
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

async function pathItems(path: string, list: CompletionPlaces["list"]): Promise<readonly AutocompleteItem[]> {
  const cut = path.lastIndexOf("/") + 1;
  const [folder, name] = [path.slice(0, cut), path.slice(cut)];
  const entries = await list(folder === "" ? "." : folder);
  return entries
    .filter((entry) => entry.name.toLowerCase().startsWith(name.toLowerCase()) && (name.startsWith(".") || !entry.name.startsWith(".")))
    .toSorted((one, other) => Number(other.isFolder) - Number(one.isFolder) || (one.name < other.name ? -1 : 1))
    .slice(0, MOST)
    .map((entry) => ({ value: `${folder}${entry.name}${entry.isFolder ? "/" : ""}`, label: `${entry.name}${entry.isFolder ? "/" : ""}` }));
}
