import type { MassgenConfig, ToolChoiceConfig } from "@massgen/config";
import type { AgentId, ToolHandler } from "@massgen/contracts";
import { type Agent, nearestName } from "@massgen/core";
import { namesTool } from "@massgen/tools";

/**
 * The tools of an agent that its config leaves it: what is excluded goes, and of the built-in ones and those of servers only
 * what is allowed stays. A tool of the user's own is there because the config names it.
 */
function chooseTools(tools: readonly ToolHandler[], { allowed, excluded }: ToolChoiceConfig): readonly ToolHandler[] {
  const isAmong = (tool: ToolHandler, names: readonly string[]): boolean => names.some((name) => namesTool(name, tool));
  return tools.filter(
    (tool) => !isAmong(tool, excluded) && (allowed === null || (tool.origin ?? "custom") === "custom" || isAmong(tool, allowed)),
  );
}

export function withChoice(agent: Agent, choice: ToolChoiceConfig): Agent {
  const { tools, changingTools } = agent;
  return {
    ...agent,
    toolsAtOnce: choice.atOnce,
    ...(tools === undefined ? {} : { tools: chooseTools(tools, choice) }),
    ...(changingTools === undefined ? {} : { changingTools: () => chooseTools(changingTools(), choice) }),
  };
}

/** What `allowed_tools` and `exclude_tools` name that no tool is called: most likely a slip of the pen. */
export function unknownToolNames(config: MassgenConfig, toolsOf: (agent: AgentId) => readonly ToolHandler[]): readonly string[] {
  const notes = config.agents.flatMap(({ id, toolChoice: { allowed, excluded } }) => {
    const tools = toolsOf(id);
    const unknown = [...(allowed ?? []), ...excluded].filter((name) => !tools.some((tool) => namesTool(name, tool)));
    return unknown.map((name) => {
      const near = nearestName(
        bare(name),
        tools.map(({ spec }) => spec.name),
      );
      return `Agent ${id} has no tool ${JSON.stringify(name)}${near === null ? "" : `; did you mean ${near}?`}`;
    });
  });
  return [...new Set(notes)];
}

const bare = (name: string): string => name.replace(/^mcp__.+?__/, "");
