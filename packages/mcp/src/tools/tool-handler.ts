import type { JsonSchema, JsonValue, ToolHandler } from "@massgen/contracts";
import type { Breaker } from "../breaker.js";
import { callServer } from "../connection/call-server.js";
import type { Connection } from "../connection/connection.js";
import type { Slots } from "../connection/slots.js";
import { oneLine } from "../one-line.js";
import { readResult } from "../results/read-result.js";
import type { McpHost, McpServer } from "../server.js";
import { argumentsFault } from "./check-arguments.js";
import { meansAny, toolName } from "./match-name.js";
import { isRecord, type ListedTool } from "./read-tool.js";
import { compileSchema, type SchemaCheck } from "./schema-check.js";

export interface HandlerParts {
  readonly connection: Connection;
  readonly breaker: Breaker;
  readonly slots: Slots;
  readonly host: McpHost;
}

/** A tool of a server as one of the agent's. What it is called there is never read off its name here. */
export function createToolHandler(tool: ListedTool, { connection, breaker, slots, host }: HandlerParts): ToolHandler {
  const { server } = connection;
  const name = toolName(server.name, tool.name);
  const risk = riskOf(tool, server);
  const isTrusted = server.trust === "normal";
  const says = planningRule(tool, server);
  const isRepeatable = risk === "read" || (isTrusted && tool.hints.idempotent);
  const ofInput = checkOf(tool.input, "they");
  const ofOutput = tool.output === null ? null : checkOf(tool.output, "it");
  const faultIn = async (input: JsonValue): Promise<string | null> => argumentsFault(input) ?? (await ofInput())(input);
  const lookAt = async (result: unknown): Promise<void> => {
    const structured = isRecord(result) && result["isError"] !== true ? result["structuredContent"] : undefined;
    const fault = ofOutput === null || structured === undefined ? null : (await ofOutput())(structured as JsonValue);
    // The model gets it as it is: what it is worth, it can tell itself.
    if (fault !== null)
      host.log(server.name, "warning", `a result of ${oneLine(tool.name, 80)} is not what it promised: ${oneLine(fault)}`);
  };
  return {
    spec: { name, description: tool.description, input: tool.input },
    risk,
    origin: "mcp",
    ...(says === null ? {} : { inPlanning: says }),
    // Progress of the server prolongs the time; the limits are those of the server's setting.
    timeoutMs: null,
    effects: () => (risk === "read" ? [] : [{ kind: "external_write", what: `${tool.name} of the MCP server ${server.name}` }]),
    async run(input, { signal, progress }) {
      const text = (said: string) => ({ parts: [{ type: "text" as const, text: said }], isError: true });
      if (connection.definitions().changed.has(tool.name))
        return text(`TOOL_CHANGED: the server ${server.name} has changed what ${name} is, and its tools are pinned. Go on without it.`);
      const fault = await faultIn(input);
      if (fault !== null) return text(`The arguments of ${name} were not sent: ${fault}.`);
      const params = { name: tool.name, arguments: input };
      const called = await callServer(connection, breaker, slots, {
        method: "tools/call",
        params,
        isRepeatable,
        asTask: tool.runsAsTask,
        signal,
        progress,
      });
      if (!called.ok) return text(called.text);
      await lookAt(called.result);
      const output = await readResult(called.result, { input: host.input ?? [], save: host.save ?? (async () => null) });
      return host.fit?.(name, output) ?? output;
    },
  };
}

/** Compiled when it is first asked for, once. */
function checkOf(schema: JsonSchema, whole: "they" | "it"): () => Promise<SchemaCheck> {
  let check: Promise<SchemaCheck> | null = null;
  return () => (check ??= compileSchema(schema, whole));
}

/** A warning of the server's is believed, a reassurance only from one that is trusted. */
function riskOf({ name, hints }: ListedTool, server: McpServer): ToolHandler["risk"] {
  if (meansAny(server.destructiveTools, server.name, name)) return "destructive";
  if (meansAny(server.readOnlyTools, server.name, name)) return "read";
  if (hints.destructive) return "destructive";
  return server.trust === "normal" && hints.readOnly ? "read" : "external";
}

/** What the user said of the tool; what its server says counts for nothing there. */
function planningRule({ name }: ListedTool, server: McpServer): "allow" | "block" | null {
  if (meansAny(server.destructiveTools, server.name, name)) return "block";
  return meansAny(server.readOnlyTools, server.name, name) ? "allow" : null;
}
