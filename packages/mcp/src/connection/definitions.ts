import { oneLine } from "../one-line.js";
import type { ListedTool } from "../tools/read-tool.js";

export interface Definitions {
  readonly tools: readonly ListedTool[];
  /** Names of pinned tools whose definition is another one now. */
  readonly changed: ReadonlySet<string>;
}

/**
 * A new list of a server that has been seen before (docs/spec/tools.md 5.8). A changed definition is told; where tools are
 * pinned the known one stays, and the tool is not called any more.
 */
export function renewDefinitions(
  known: Definitions,
  listed: readonly ListedTool[],
  { isPinned, warn }: { readonly isPinned: boolean; warn(message: string): void },
): Definitions {
  const before = new Map(known.tools.map((tool) => [tool.name, tool]));
  const changed = new Set<string>();
  const tools = listed.map((tool) => {
    const old = before.get(tool.name);
    if (old === undefined || old.fingerprint === tool.fingerprint) return tool;
    if (!known.changed.has(tool.name))
      warn(
        `the definition of its tool ${JSON.stringify(oneLine(tool.name, 80))} has changed${isPinned ? "; it is not called any more (pin)" : ""}`,
      );
    if (!isPinned) return tool;
    changed.add(tool.name);
    return old;
  });
  return { tools, changed };
}
