/** The name of a tool as models see it. */
export const toolName = (server: string, tool: string): string => `mcp__${server}__${tool}`;

/** Whether a filter means a tool: its bare name or the one models see, `*` for any run of characters. */
export function meansTool(pattern: string, server: string, tool: string): boolean {
  const glob = new RegExp(`^${pattern.trim().split("*").map(escaped).join(".*")}$`, "su");
  return glob.test(tool) || glob.test(toolName(server, tool));
}

export const meansAny = (patterns: readonly string[], server: string, tool: string): boolean =>
  patterns.some((pattern) => meansTool(pattern, server, tool));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
