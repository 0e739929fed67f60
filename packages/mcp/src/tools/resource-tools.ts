import type { JsonValue, ToolContext, ToolHandler, ToolOutput } from "@massgen/contracts";
import { callServer } from "../connection/call-server.js";
import { readResult } from "../results/read-result.js";
import { isRecord } from "./read-tool.js";
import type { HandlerParts } from "./tool-handler.js";

/** Lists and reads the resources of the servers that are to show them; none without such a server. */
export function resourceTools(all: readonly HandlerParts[]): readonly ToolHandler[] {
  if (all.length === 0) return [];
  const names = all.map(({ connection }) => connection.server.name);
  const server = { type: "string", enum: names, description: "Name of the server." };
  return [
    readingTool(
      "mcp_list_resources",
      "List what an MCP server has to read.",
      { server, cursor: { type: "string", description: "From an earlier list that had more." } },
      ["server"],
      async (input, context) => {
        const params = typeof input["cursor"] === "string" ? { cursor: input["cursor"] } : {};
        const called = await ask(all, input, "resources/list", params, context);
        return called.ok ? plain(linesOf(called.result), false) : plain(called.text, true);
      },
    ),
    readingTool(
      "mcp_read_resource",
      "Read one resource of an MCP server.",
      { server, uri: { type: "string", description: "As it is listed, or as a result named it." } },
      ["server", "uri"],
      async (input, context) => {
        const called = await ask(all, input, "resources/read", { uri: String(input["uri"] ?? "") }, context);
        if (!called.ok) return plain(called.text, true);
        const contents = isRecord(called.result) && Array.isArray(called.result["contents"]) ? called.result["contents"] : [];
        const { host } = partsOf(all, input)!;
        return readResult(
          { content: contents.map((resource) => ({ type: "resource", resource })) },
          { input: host.input ?? [], save: host.save ?? (async () => null) },
        );
      },
    ),
  ];
}

type Input = Readonly<Record<string, unknown>>;

function readingTool(
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonValue>>,
  required: readonly string[],
  run: (input: Input, context: ToolContext) => Promise<ToolOutput>,
): ToolHandler {
  return {
    spec: { name, description, input: { type: "object", properties, required, additionalProperties: false } },
    risk: "read",
    origin: "mcp",
    inPlanning: "allow",
    timeoutMs: null,
    effects: () => [],
    run: (input, context) => run(isRecord(input) ? input : {}, context),
  };
}

const partsOf = (all: readonly HandlerParts[], input: Input): HandlerParts | undefined =>
  all.find(({ connection }) => connection.server.name === input["server"]);

async function ask(
  all: readonly HandlerParts[],
  input: Input,
  method: string,
  params: Readonly<Record<string, JsonValue>>,
  { signal, progress }: ToolContext,
) {
  const parts = partsOf(all, input);
  if (parts === undefined)
    return { ok: false, text: `There is no server ${JSON.stringify(input["server"] ?? null)} with resources.` } as const;
  return callServer(parts.connection, parts.breaker, parts.slots, { method, params, isRepeatable: true, signal, progress });
}

const plain = (text: string, isError: boolean): ToolOutput => ({ parts: [{ type: "text", text }], isError });

function linesOf(result: unknown): string {
  const listed = isRecord(result) && Array.isArray(result["resources"]) ? result["resources"] : [];
  const lines = listed
    .filter(isRecord)
    .map(({ uri, name, mimeType, description }) =>
      [uri, name, mimeType, description].filter((word) => typeof word === "string").join(" · "),
    );
  const next =
    isRecord(result) && typeof result["nextCursor"] === "string" ? [`(there is more: cursor ${JSON.stringify(result["nextCursor"])})`] : [];
  return [...(lines.length === 0 ? ["(no resources)"] : lines), ...next].join("\n");
}
