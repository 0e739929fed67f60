import type { ToolHandler } from "@massgen/contracts";
import { oldToolNames } from "./aliases.js";

const OWN_PREFIXES: readonly string[] = ["", "mcp__filesystem__", "mcp__workspace_tools__", "mcp__command_line__"];

/**
 * Whether a name in a list of a config means this tool: its name, with or without its prefix, or what a built-in was called
 * in the Python version; `*` stands for any characters (docs/spec/tools.md 3.4).
 */
export function namesTool(pattern: string, { spec: { name }, origin = "custom" }: Pick<ToolHandler, "spec" | "origin">): boolean {
  const wanted = new RegExp(`^${pattern.trim().split("*").map(escaped).join(".*")}$`, "su");
  return namesOf(name, origin).some((one) => wanted.test(one));
}

function namesOf(name: string, origin: NonNullable<ToolHandler["origin"]>): readonly string[] {
  if (origin === "builtin") return [name, ...oldToolNames(name)].flatMap((one) => OWN_PREFIXES.map((prefix) => `${prefix}${one}`));
  const bare = origin === "mcp" ? /^mcp__.+?__(.+)$/s.exec(name)?.[1] : /^custom_tool__(.+)$/s.exec(name)?.[1];
  return bare === undefined ? [name] : [name, bare];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
