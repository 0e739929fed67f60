import type { CustomToolConfig, MassgenConfig } from "@massgen/config";
import { type AgentId, MassgenError, type ToolHandler } from "@massgen/contracts";
import type { CustomToolEntry } from "@massgen/tools/node";
import { type RunPlace, writableRoots } from "./writable-roots.js";

export interface CustomToolPlaces extends RunPlace {
  /** Absolute folders modules are looked up from: that of the run, that of the config. */
  readonly folders: readonly string[];
}

export interface CustomToolsOfRun {
  readonly of: (agent: AgentId) => readonly ToolHandler[];
  readonly notes: readonly string[];
}

/**
 * Loads the tools of all agents, and nothing when there are none. Their code runs in this process; a module that lies where
 * agents may write is not run.
 *
 * @throws MassgenError `CONFIG_INVALID` for a tool that must not be, as one called like the vote
 */
export async function openCustomTools(config: MassgenConfig, { cwd, home, folders }: CustomToolPlaces): Promise<CustomToolsOfRun> {
  const of = new Map<AgentId, readonly ToolHandler[]>();
  const notes = new Set<string>();
  const tooled = config.agents.filter(({ customTools }) => customTools.length > 0);
  if (tooled.length === 0) return { of: () => [], notes: [] };
  const { loadCustomTools } = await import("@massgen/tools/node");
  const options = { folders, writableRoots: writableRoots(config, { cwd, home }) };
  for (const { id, customTools } of tooled) {
    const { tools, problems } = await loadCustomTools(customTools.map(entryOf), options);
    const [fault] = problems.filter(({ severity }) => severity === "error");
    if (fault !== undefined)
      throw new MassgenError("CONFIG_INVALID", `${fault.where}: ${fault.message}`, { exitCode: 1, hint: "See docs/spec/config.md 7.1." });
    for (const { message } of problems) notes.add(message);
    of.set(id, tools);
  }
  return { of: (agent) => of.get(agent) ?? [], notes: [...notes] };
}

const entryOf = ({ where, name, function: named, path, category, description, presetArgs }: CustomToolConfig): CustomToolEntry => ({
  where,
  ...(name === null ? {} : { name }),
  ...(named === null ? {} : { function: named }),
  ...(path === null ? {} : { path }),
  ...(category === null ? {} : { category }),
  ...(description === null ? {} : { description }),
  ...(presetArgs === null ? {} : { presetArgs }),
});
