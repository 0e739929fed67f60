import type { AgentId, ToolHandler } from "@massgen/contracts";
import type { Agent } from "@massgen/core";
import type { RecordedStart } from "./call-record.js";

type RecordedDefinition = NonNullable<RecordedStart["agents"][number]["tools"]>[number];

/** Tools that an agent came by while the run went on: an MCP server has others than before. */
export interface RecordedNewTools {
  readonly kind: "new_tools";
  readonly agent_id: AgentId;
  readonly tools: readonly RecordedDefinition[];
}

export const definitionOf = ({ spec, risk, origin = "custom" }: ToolHandler): RecordedDefinition => ({ spec, risk, origin });

/** The same agent; a tool of a name it did not have when the run began is recorded when it is first offered. */
export function recordingNewTools<A extends Agent>(agent: A, record: (line: RecordedNewTools) => void): A {
  const { changingTools } = agent;
  if (changingTools === undefined) return agent;
  const known = new Set([...(agent.tools ?? []), ...changingTools()].map(({ spec }) => spec.name));
  return {
    ...agent,
    changingTools: () => {
      const tools = changingTools();
      const added = tools.filter(({ spec }) => !known.has(spec.name));
      for (const { spec } of added) known.add(spec.name);
      if (added.length > 0) record({ kind: "new_tools", agent_id: agent.id, tools: added.map(definitionOf) });
      return tools;
    },
  };
}
