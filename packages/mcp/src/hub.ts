import { MassgenError, type ToolHandler } from "@massgen/contracts";
import { createBreaker } from "./breaker.js";
import { openConnection } from "./connection/connection.js";
import { createSlots } from "./connection/slots.js";
import type { McpHost, McpServer, ServerReport } from "./server.js";
import type { ListedTool } from "./tools/read-tool.js";
import { resourceTools } from "./tools/resource-tools.js";
import { createToolHandler, type HandlerParts } from "./tools/tool-handler.js";

/** The servers of one agent. */
export interface McpHub {
  /**
   * Resolves when every server is ready or has failed; they are waited for side by side.
   * Rejects with MassgenError `MCP_UNAVAILABLE` when one failed without which the run is not to start.
   */
  readonly ready: Promise<void>;
  /** The tools as they are now, server by server, each in its server's order. */
  tools(): readonly ToolHandler[];
  reports(): readonly ServerReport[];
  /** What the person should know of the servers, a sentence each. */
  warnings(): readonly string[];
  /** Ends every server and what it started; within 5 s as a rule. Idempotent. */
  close(): Promise<void>;
}

export interface HubEvents {
  /** A server is in another state, or has other tools. */
  onChange?(): void;
}

/** Above it models choose badly, and some vendors refuse. */
const MANY_TOOLS = 100;

/** Starts all servers at once and returns at once. Aborting `signal` gives up those that are still starting. */
export function openHub(servers: readonly McpServer[], host: McpHost, signal: AbortSignal, { onChange }: HubEvents = {}): McpHub {
  const warnings: string[] = [];
  const all = servers.map((server): HandlerParts => {
    const warn = (message: string): void => {
      warnings.push(`MCP server ${JSON.stringify(server.name)}: ${message}.`);
      host.log(server.name, "warning", message);
      onChange?.();
    };
    return {
      connection: openConnection(server, host, signal, { onWarning: warn, onReport: () => onChange?.() }),
      breaker: createBreaker(() => performance.now()),
      slots: createSlots(server.concurrency),
      host,
    };
  });
  const handlers = new Map<ListedTool, ToolHandler>();
  const handlerFor = (tool: ListedTool, parts: HandlerParts): ToolHandler => {
    const known = handlers.get(tool) ?? createToolHandler(tool, parts);
    handlers.set(tool, known);
    return known;
  };
  let resources: readonly ToolHandler[] = [];
  const tools = (): readonly ToolHandler[] => [
    ...all.flatMap((parts) => parts.connection.definitions().tools.map((tool) => handlerFor(tool, parts))),
    ...resources,
  ];
  const reports = (): readonly ServerReport[] => all.map(({ connection }) => connection.report());

  const ready = (async () => {
    await Promise.all(all.map(({ connection }) => connection.ready));
    resources = resourceTools(all.filter(({ connection }) => connection.server.exposesResources && connection.hasResources()));
    const needed = all.map(({ connection }) => connection).find(({ server, report }) => !server.isOptional && report().state === "failed");
    if (needed !== undefined) throw unavailable(needed.report());
    const count = tools().length;
    if (count > MANY_TOOLS)
      warnings.push(`The MCP servers offer ${count} tools, more than models choose well from; allowed_tools keeps those you need.`);
  })();
  ready.catch(() => {});
  return {
    ready,
    tools,
    reports,
    warnings: () => [...warnings],
    async close() {
      await Promise.allSettled(all.map(({ connection }) => connection.close()));
    },
  };
}

const unavailable = ({ name, error }: ServerReport): MassgenError =>
  new MassgenError(
    "MCP_UNAVAILABLE",
    `The MCP server ${JSON.stringify(name)} is needed (optional: false) and cannot be used: ${error ?? "unknown"}.`,
    {
      exitCode: 1,
      hint: "'massgen mcp doctor --config …' says what is wrong with each server.",
    },
  );
