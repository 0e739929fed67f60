import type { Environment, MassgenConfig } from "@massgen/config";
import type { AgentId, ToolEffect, ToolHandler } from "@massgen/contracts";
import type { Agent } from "@massgen/core";
import type { RunLog } from "@massgen/logs";
import { createTokenStore, type McpHost, type McpHub, openHub, type ServerReport } from "@massgen/mcp";
import { pathsIn } from "@massgen/tools";
import { openResultFolder } from "@massgen/tools/node";
import type { McpServersReport } from "@massgen/views";
import { sharedFetch } from "../http/node-fetch.js";
import { ownVersion } from "../own-version.js";
import type { Elicit } from "./elicit.js";
import type { Hands } from "./hands.js";
import { loginFile, serverOf } from "./mcp-settings.js";
import { writableRoots } from "./writable-roots.js";

export interface McpOptions {
  readonly config: MassgenConfig;
  readonly agents: readonly Agent[];
  readonly hands: Hands | null;
  readonly env: Environment;
  /** Absolute: folder of the run. */
  readonly cwd: string;
  readonly home: string;
  readonly log: RunLog | null;
  /** Gives up servers that are still starting. */
  readonly signal: AbortSignal;
  readonly onWaiting?: (message: string) => void;
  readonly elicit?: Elicit;
}

/** The MCP servers of a run, open until closed. */
export interface McpOfRun {
  /** The tools an agent has now; `null` for one without servers. */
  readonly of: (agent: AgentId) => (() => readonly ToolHandler[]) | null;
  /** What became of servers that are not as they should be, a sentence each. */
  readonly notes: readonly string[];
  /** Its servers as they are now, by name. */
  readonly reportOf: (agent: AgentId) => McpServersReport;
  readonly close: () => Promise<void>;
}

/** What has changed for the worse since the run began, each once. */
function newsOf(id: AgentId): (hub: McpHub) => readonly string[] {
  const told = new Set<string>();
  let warned = 0;
  return (hub) => {
    const warnings = hub.warnings();
    const fresh = warnings.slice(warned);
    warned = warnings.length;
    // A server that was not there from the start is told of then.
    const lost = hub.reports().flatMap(({ name, state, tools, error }) => {
      if (state !== "failed" || tools === 0 || told.has(name)) return [];
      told.add(name);
      return [`The MCP server ${JSON.stringify(name)} of ${id} was lost: ${error ?? "it ended"}.`];
    });
    return [...lost, ...fresh];
  };
}

const WAITING_AFTER_MS = 3_000;

function waitingText(hubs: ReadonlyMap<AgentId, McpHub>): string {
  const names = [...hubs.values()].flatMap((hub) => hub.reports().flatMap(({ name, state }) => (state === "starting" ? [name] : [])));
  return `Waiting for MCP servers: ${[...new Set(names)].join(", ")}.`;
}

/** Characters of a result; what is beyond goes to a file of the agent's. */
const RESULT_CHARS = 30_000;

/**
 * Starts the servers of all agents side by side and waits until each is ready or has failed. Every agent has processes of
 * its own: what one does there, no other sees.
 *
 * @throws MassgenError `MCP_UNAVAILABLE` for a server without which the run is not to start
 */
export async function openMcp(options: McpOptions): Promise<McpOfRun> {
  const { config, log } = options;
  const hubs = new Map<AgentId, McpHub>();
  let isReady = false;
  for (const { id, mcpServers } of config.agents) {
    if (mcpServers.length === 0) continue;
    const news = newsOf(id);
    const report = (): void => {
      const hub = hubs.get(id);
      if (hub === undefined) return;
      log?.mcpServers(id, reportOf(hub.reports()));
      const fresh = news(hub);
      if (isReady) for (const message of fresh) options.onWaiting?.(message);
    };
    const folder = options.hands?.of(id)?.files.workspace ?? null;
    const servers = mcpServers.map((server) => serverOf(server, { folder: folder ?? options.cwd, cwd: options.cwd }));
    hubs.set(id, openHub(servers, hostOf(id, folder, options), options.signal, { onChange: report }));
  }
  const close = async (): Promise<void> => {
    await Promise.all([...hubs.values()].map((hub) => hub.close()));
    for (const [id, hub] of hubs) log?.mcpServers(id, reportOf(hub.reports()));
  };
  const timer = setTimeout(() => options.onWaiting?.(waitingText(hubs)), WAITING_AFTER_MS);
  try {
    await Promise.all([...hubs.values()].map((hub) => hub.ready));
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  for (const [id, hub] of hubs) log?.mcpServers(id, reportOf(hub.reports()));
  isReady = true;
  const lists = new Map([...hubs].map(([id, hub]) => [id, toolsOf(id, hub, options)]));
  return {
    of: (agent) => lists.get(agent) ?? null,
    notes: notesOf(hubs, config),
    reportOf: (agent) => reportOf(hubs.get(agent)?.reports() ?? []),
    close,
  };
}

function hostOf(id: AgentId, folder: string | null, { config, cwd, agents, env, home, log, elicit }: McpOptions): McpHost {
  const results = folder === null ? null : openResultFolder({ root: () => Promise.resolve(folder), maxChars: RESULT_CHARS });
  return {
    version: ownVersion(),
    env,
    fetch: sharedFetch(env),
    writableRoots: [...writableRoots(config, { cwd, home }), ...(folder === null ? [] : [folder])],
    input: agents.find((agent) => agent.id === id)?.backend.capabilities.input ?? [],
    auth: createTokenStore(loginFile(home)),
    log(server, level, line) {
      log?.serverLine(id, server, line);
      if (level !== "debug") log?.log(level, "mcp", id, `${server} ${line}`);
    },
    ...(results === null ? {} : { save: results.save, fit: (name, output) => results.fit(name, output, "ends") }),
    ...(elicit === undefined ? {} : { elicit }),
  };
}

/** The same handlers for as long as their definitions are the same. */
function toolsOf(id: AgentId, hub: McpHub, { config, hands }: McpOptions): () => readonly ToolHandler[] {
  const trusted = new Set(
    config.agents.find((agent) => agent.id === id)?.mcpServers.flatMap(({ name, trust }) => (trust === "normal" ? [`mcp__${name}__`] : [])),
  );
  const hasFiles = (hands?.of(id) ?? null) !== null;
  const judged = new WeakMap<ToolHandler, ToolHandler>();
  const judge = (tool: ToolHandler): ToolHandler => {
    if (!hasFiles || [...trusted].some((prefix) => tool.spec.name.startsWith(prefix))) return tool;
    const known = judged.get(tool) ?? { ...tool, effects: (input) => [...pathEffects(tool, input), ...tool.effects(input)] };
    judged.set(tool, known);
    return known;
  };
  return () => hub.tools().map(judge);
}

/** Paths an agent with files hands to a server it does not vouch for are judged like its own (docs/spec/tools.md 2.6). */
const pathEffects = ({ risk }: ToolHandler, input: Parameters<ToolHandler["effects"]>[0]): readonly ToolEffect[] =>
  pathsIn(input).map((path) => ({ kind: "path", op: risk === "read" ? "read" : "write", path }));

const reportOf = (reports: readonly ServerReport[]): McpServersReport =>
  Object.fromEntries(reports.map(({ name, ...report }) => [name, report]));

/** One sentence per server and cause, with the agents it is of where not all have it. */
function notesOf(hubs: ReadonlyMap<AgentId, McpHub>, { agents }: MassgenConfig): readonly string[] {
  const byText = new Map<string, { readonly before: string; readonly after: string; readonly ids: AgentId[] }>();
  const add = (id: AgentId, before: string, after: string): void => {
    const known = byText.get(`${before}${after}`) ?? { before, after, ids: [] };
    known.ids.push(id);
    byText.set(`${before}${after}`, known);
  };
  for (const [id, hub] of hubs) {
    for (const { name, state, error } of hub.reports())
      if (state === "failed") add(id, `The MCP server ${JSON.stringify(name)} is not used`, `: ${error ?? "it failed"}.`);
    for (const warning of hub.warnings()) add(id, warning, "");
  }
  return [...byText.values()].map(({ before, after, ids }) =>
    ids.length === agents.length ? `${before}${after}` : `${before} (${ids.join(", ")})${after}`,
  );
}
