import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerReadAnswer, registerStatus } from "./look-tools.js";
import type { McpRuns } from "./report.js";
import { registerRun } from "./run-tool.js";

/** A team as tools of another agent. One per connection: connect it to a transport. */
export function createMcpServer(runs: McpRuns, version: string): McpServer {
  const server = new McpServer(
    { name: "massgen", title: "MassGen", version },
    {
      instructions:
        "massgen_run asks a team of models one question and returns the answer that won its vote, with the reasons. Put everything the team needs into the question. It takes minutes: call it with wait false and ask massgen_status when your calls time out.",
    },
  );
  registerRun(server, runs);
  registerStatus(server, runs);
  registerReadAnswer(server, runs);
  return server;
}
