import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode, toValue } from "./tree.js";

/** Rules about files and commands (docs/spec/config.md 6 and 14). */
export function checkHands(root: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  const backends = agents.map((agent) => child(agent, "backend"));
  const hasFiles = backends.some((backend) => isText(child(backend, "cwd")));
  const contexts = child(root.entries.get("orchestrator"), "context_paths");
  if (contexts?.kind === "list" && contexts.items.length > 0 && !hasFiles)
    reporter.report("CFG102", contexts, "no agent has a 'cwd', so nobody sees the context paths", {
      on: "key",
      hint: "Give agents files with backend: {cwd: workspace, …}.",
    });
  for (const backend of backends) checkCommands(backend, reporter);
}

function checkCommands(backend: ConfigNode | undefined, reporter: Reporter): void {
  const commands = child(backend, "enable_mcp_command_line");
  if (commands === undefined || toValue(commands) !== true) return;
  if (!isText(child(backend, "cwd")))
    reporter.report("CFG120", commands, "'enable_mcp_command_line' has no effect without a 'cwd': there is no folder to run commands in", {
      on: "key",
      hint: "Add cwd: workspace beside it.",
    });
  const mode = child(backend, "command_line_execution_mode");
  if (mode !== undefined && toValue(mode) === "docker")
    reporter.report("CFG120", mode, "'command_line_execution_mode: docker' is known but not supported yet; agents run no commands", {
      hint: "local runs them behind the sandbox of the operating system.",
    });
}

function isText(node: ConfigNode | undefined): boolean {
  const value = node === undefined ? null : toValue(node);
  return typeof value === "string" && value.trim() !== "";
}
