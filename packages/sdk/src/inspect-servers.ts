import type { Environment, MassgenConfig, McpServerConfig } from "@massgen/config";
import { type AgentId, type JsonValue, MassgenError, type ToolHandler, type ToolOutput } from "@massgen/contracts";
import { systemAmbient } from "@massgen/core";
import { createTokenStore, logIn, type McpHub, openHub, type ServerReport } from "@massgen/mcp";
import { loginFile, serverOf } from "./hands/mcp-settings.js";
import { writableRoots } from "./hands/writable-roots.js";
import { sharedFetch } from "./http/node-fetch.js";
import { ownVersion } from "./own-version.js";
import { environmentSecrets, redactorOf } from "./redactor-of.js";

export interface InspectOptions {
  readonly config: MassgenConfig;
  readonly env: Environment;
  /** Absolute; where servers without a folder of their own run. */
  readonly cwd: string;
  readonly home: string;
  readonly signal: AbortSignal;
  /** Of the config, to be taken out of what is shown. */
  readonly secrets: readonly string[];
  /** Only this one. Default: all. */
  readonly server?: string;
}

export interface InspectedServer {
  /** Agents that have it. */
  readonly agents: readonly AgentId[];
  readonly config: McpServerConfig;
  readonly report: ServerReport;
  /** From its start until it was ready or had failed. */
  readonly startMs: number;
  readonly tools: readonly ToolHandler[];
  readonly warnings: readonly string[];
  /** The newest lines it wrote to standard error, secrets not removed. */
  readonly stderr: readonly string[];
}

export interface ServerInspection {
  readonly servers: readonly InspectedServer[];
  /** Calls a tool by the name models see, or by its own where only one server has it. */
  call(tool: string, input: JsonValue, onProgress?: (note: string) => void): Promise<ToolOutput>;
  /** Takes the secrets of the config and of the environment out of a text. */
  redact(text: string): string;
  /** Ends the servers. */
  close(): Promise<void>;
}

const LAST_LINES = 5;

/**
 * Starts the MCP servers of a config, each once however many agents have it, and waits until they are ready or have failed.
 *
 * @throws MassgenError `USAGE` for a server that is not there
 */
export async function inspectServers(options: InspectOptions): Promise<ServerInspection> {
  const found = serversIn(options);
  const servers = await Promise.all(found.map((one) => inspect(one, options)));
  const tools = servers.flatMap((server) => server.tools);
  return {
    servers,
    redact: redactorOf([...options.secrets, ...environmentSecrets(options.env)]),
    async call(name, input, onProgress = () => {}) {
      const tool = findTool(tools, name);
      const { signal } = options;
      return tool.run(input, { agent: "you", callId: "call_1", channel: "work", ambient: systemAmbient(), signal, progress: onProgress });
    },
    async close() {
      await Promise.all(servers.map(({ hub }) => hub.close()));
    },
  };
}

interface Found {
  readonly config: McpServerConfig;
  readonly agents: AgentId[];
}

/** Agents that share a server's settings share the look at it. */
function serversIn({ config, server: wanted }: Pick<InspectOptions, "config" | "server">): readonly Found[] {
  const found = new Map<string, Found>();
  for (const { id, mcpServers } of config.agents)
    for (const server of mcpServers) {
      if (wanted !== undefined && server.name !== wanted) continue;
      const key = JSON.stringify({ ...server, where: "" });
      const known = found.get(key) ?? { config: server, agents: [] };
      known.agents.push(id);
      found.set(key, known);
    }
  if (found.size > 0 || wanted === undefined) return [...found.values()];
  const names = [...new Set(config.agents.flatMap(({ mcpServers }) => mcpServers.map(({ name }) => name)))];
  throw new MassgenError("USAGE", `The config has no MCP server ${JSON.stringify(wanted)}.`, {
    hint: names.length === 0 ? "It has none at all." : `It has: ${names.join(", ")}.`,
  });
}

async function inspect({ config: server, agents }: Found, options: InspectOptions): Promise<InspectedServer & { readonly hub: McpHub }> {
  const { config, env, cwd, home, signal } = options;
  const stderr: string[] = [];
  const startedAt = performance.now();
  const hub = openHub(
    [{ ...serverOf(server, { folder: cwd, cwd }), isOptional: true }],
    {
      version: ownVersion(),
      env,
      fetch: sharedFetch(env),
      writableRoots: writableRoots(config, { cwd, home }),
      input: ["image", "audio"],
      auth: createTokenStore(loginFile(home)),
      log(_name, _level, line) {
        if (!line.startsWith("stderr: ") || line.trim() === "stderr:") return;
        stderr.push(line.slice("stderr: ".length));
        if (stderr.length > LAST_LINES) stderr.shift();
      },
    },
    signal,
  );
  await hub.ready;
  signal.throwIfAborted();
  return {
    agents,
    config: server,
    report: hub.reports()[0]!,
    startMs: performance.now() - startedAt,
    tools: hub.tools(),
    warnings: hub.warnings(),
    stderr,
    hub,
  };
}

function findTool(tools: readonly ToolHandler[], name: string): ToolHandler {
  const exact = tools.filter(({ spec }) => spec.name === name);
  const meant = exact.length > 0 ? exact : tools.filter(({ spec }) => spec.name.replace(/^mcp__.+?__/, "") === name);
  if (meant.length === 1 && meant[0] !== undefined) return meant[0];
  const names = (meant.length === 0 ? tools : meant).map(({ spec }) => spec.name);
  throw new MassgenError(
    "USAGE",
    meant.length === 0 ? `No server has a tool ${JSON.stringify(name)}.` : `Several servers have a tool ${JSON.stringify(name)}.`,
    {
      hint: `There is: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}.`,
    },
  );
}

/**
 * Logs the person in to a remote server of a config; `visit` shows them the page where they agree.
 *
 * @throws MassgenError `USAGE` for a server that is not there, or is none that one logs in to
 */
export async function logInToServer(
  options: Omit<InspectOptions, "secrets"> & { readonly server: string; visit(url: URL): Promise<void> },
): Promise<void> {
  const { env, cwd, home, signal, visit } = options;
  const { transport } = serverOf(remoteOf(options), { folder: cwd, cwd });
  if (transport.kind !== "http") return;
  await logIn({ setting: transport, store: createTokenStore(loginFile(home)), fetch: sharedFetch(env), visit, signal });
}

/** Forgets what a login has left here. Resolves with whether there was one. */
export async function logOutOfServer(options: Pick<InspectOptions, "config" | "home"> & { readonly server: string }): Promise<boolean> {
  const { transport } = remoteOf(options);
  if (transport.kind !== "http") return false;
  const store = createTokenStore(loginFile(options.home));
  const { tokens } = await store.read(transport.url);
  await store.write(transport.url, () => null);
  return tokens !== undefined;
}

function remoteOf({ config, server }: Pick<InspectOptions, "config" | "server">): McpServerConfig {
  const [found] = serversIn({ config, ...(server === undefined ? {} : { server }) });
  if (found?.config.transport.kind === "http") return found.config;
  throw new MassgenError("USAGE", `The MCP server ${JSON.stringify(server)} is a program: there is nothing to log in to.`, {
    hint: "What it needs goes into its env.",
  });
}
