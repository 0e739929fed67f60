import type { JsonValue } from "@massgen/contracts";

/** Names configs written for the Python MassGen use, without their `mcp__<server>__`, and what they are called here. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  read_text_file: "read_file",
  read_multiple_files: "read_many_files",
  move_file: "move_path",
  search_files: "glob",
  directory_tree: "list_directory",
  list_directory_with_sizes: "list_directory",
  get_file_info: "file_info",
  list_allowed_directories: "list_roots",
  copy_file: "copy_path",
  delete_file: "delete_path",
};

const OLD_PREFIXES: readonly string[] = ["mcp__filesystem__", "mcp__workspace_tools__", "mcp__command_line__"];

/** The present name of a file or command tool, whatever way it is written; other names stay as they are. */
export function presentToolName(name: string): string {
  const prefix = OLD_PREFIXES.find((one) => name.startsWith(one));
  const bare = prefix === undefined ? name : name.slice(prefix.length);
  return OLD_NAMES[bare] ?? bare;
}

/** Every way an old configuration may name a tool: for lists of names that are compared literally. */
export const oldToolNames = (name: string): readonly string[] => Object.keys(OLD_NAMES).filter((old) => OLD_NAMES[old] === name);

/** Arguments under their old names, in which models were trained, and the present ones. */
const OLD_ARGUMENTS: Readonly<Record<string, string>> = {
  file_path: "path",
  source_path: "source",
  destination_path: "destination",
  source_base_path: "source_base",
  destination_base_path: "destination_base",
  include_patterns: "include",
  exclude_patterns: "exclude",
  show_content_diff: "content_diff",
  oldText: "old_string",
  newText: "new_string",
};

/** Renames old arguments that the tool does not know under the name given, so that none is lost and none overrides. */
export function renameArguments(input: JsonValue, known: ReadonlySet<string>): JsonValue {
  if (!isObject(input)) return input;
  if (known.has("offset") && known.has("limit")) return headAndTail(renameKeys(input, known));
  return renameKeys(input, known);
}

/** `head` and `tail` of the old reading tool. */
function headAndTail({ head, tail, ...rest }: { readonly [key: string]: JsonValue }): JsonValue {
  if (typeof head === "number" && tail === undefined) return { limit: head, ...rest };
  if (typeof tail === "number" && head === undefined) return { offset: -tail, limit: Math.max(1, tail), ...rest };
  return { ...(head === undefined ? {} : { head }), ...(tail === undefined ? {} : { tail }), ...rest };
}

function renameKeys(input: { readonly [key: string]: JsonValue }, known: ReadonlySet<string>): { readonly [key: string]: JsonValue } {
  const renamed = Object.entries(input).map(([key, value]) => {
    const name = OLD_ARGUMENTS[key];
    const isFree = name !== undefined && !known.has(key) && known.has(name) && !(name in input);
    return [isFree ? name : key, key === "edits" && Array.isArray(value) ? value.map((edit) => renameArguments(edit, EDIT_KEYS)) : value];
  });
  return Object.fromEntries(renamed) as { readonly [key: string]: JsonValue };
}

const EDIT_KEYS: ReadonlySet<string> = new Set(["old_string", "new_string", "replace_all"]);

const isObject = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
