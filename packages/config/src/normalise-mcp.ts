import { quoteText } from "./describe.js";
import { isTaken } from "./mcp-server-names.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type ListNode, type MapNode, scalar } from "./tree.js";

/**
 * Puts the MCP servers of every agent into one form, a list with names and types: maps by name, a single server written
 * without a list, and those of the top level, which are for everybody (docs/spec/config.md 8).
 */
export function normaliseServers(root: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  const backends = agents.flatMap((agent) => {
    const backend = agent.entries.get("backend");
    return backend?.kind === "map" ? [backend] : [];
  });
  for (const backend of backends) {
    const servers = backend.entries.get("mcp_servers");
    if (servers !== undefined) backend.entries.set("mcp_servers", listed(servers, reporter));
  }
  const shared = root.entries.get("mcp_servers");
  if (shared === undefined || shared.kind === "scalar") return;
  root.entries.delete("mcp_servers");
  reporter.report("CFG061", shared, "'mcp_servers' at the top level is given to every agent; it belongs in 'agents[].backend'", {
    on: "key",
  });
  const forAll = listed(shared, reporter);
  if (forAll.kind === "list") for (const backend of backends) addServers(backend, forAll);
}

/** An agent's own server of the same name wins. */
function addServers(backend: MapNode, shared: ListNode): void {
  const own = backend.entries.get("mcp_servers");
  if (own !== undefined && own.kind !== "list") return;
  const items = own?.items ?? [];
  const names = new Set(items.map(nameOf));
  const added = shared.items.filter((item) => !names.has(nameOf(item)));
  backend.entries.set("mcp_servers", { ...(own ?? shared), items: [...items, ...added] });
}

function listed(servers: ConfigNode, reporter: Reporter): ConfigNode {
  if (servers.kind === "scalar") return servers;
  const list = servers.kind === "list" ? servers : fromMap(servers, reporter);
  for (const item of list.items) if (item.kind === "map") complete(item, reporter);
  return list;
}

function fromMap(servers: MapNode, reporter: Reporter): ListNode {
  const { kind: _kind, entries, ...placed } = servers;
  if (isSingleServer(servers)) {
    reporter.report("CFG063", servers, "'mcp_servers' should be a list; read as one server", {
      on: "key",
      hint: "Put '- ' before its first key.",
    });
    if (!entries.has("name")) entries.set("name", scalar("server", servers, "name"));
    return { kind: "list", items: [servers], ...placed };
  }
  for (const [name, server] of entries)
    if (server.kind === "map" && !server.entries.has("name"))
      server.entries.set("name", { ...scalar(name, server, "name"), range: server.keyRange });
  return { kind: "list", items: [...entries.values()], ...placed };
}

/** One server has texts under these keys; a map of servers could only have servers there. */
export const isSingleServer = (node: ConfigNode): boolean =>
  node.kind === "map" && ["type", "command", "url"].some((key) => node.entries.has(key) && node.entries.get(key)?.kind !== "map");

function complete(server: MapNode, reporter: Reporter): void {
  const type = child(server, "type");
  if (type === undefined) {
    const inferred = server.entries.has("url") && !server.entries.has("command") ? "streamable-http" : "stdio";
    server.entries.set("type", scalar(inferred, server, "type"));
  } else if (type.kind === "scalar" && type.value === "http") type.value = "streamable-http";
  const name = child(server, "name");
  if (name?.kind !== "scalar" || typeof name.value !== "string" || !isTaken(name.value)) return;
  reporter.report("MCP021", name, `${quoteText(name.value)} is the name of a built-in server; this one is called '${name.value}_user'`, {
    hint: "Give it a name of its own.",
  });
  name.value = `${name.value}_user`;
}

const nameOf = (server: ConfigNode): string => {
  const name = child(server, "name");
  return name?.kind === "scalar" ? String(name.value) : "";
};
