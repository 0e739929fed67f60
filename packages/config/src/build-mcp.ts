import { buildToolChoice } from "./build-tool-choice.js";
import { argsOf, commandOf } from "./check-mcp.js";
import type { McpServerConfig, ToolChoiceConfig } from "./config.js";
import { serverKeys } from "./keys/backend-mcp.js";
import { readSecurity } from "./mcp-security.js";
import { keyReader } from "./read-key.js";
import { type MapNode, pathOf, toRecord, toValue } from "./tree.js";

/** The MCP servers of an agent that are switched on (docs/spec/config.md 8). */
export function buildServers(backend: MapNode): readonly McpServerConfig[] {
  const servers = backend.entries.get("mcp_servers");
  if (servers?.kind !== "list") return [];
  const filters = buildToolChoice(backend);
  return servers.items.flatMap((server) =>
    server.kind === "map" && keyReader(server, serverKeys)("enabled") !== false ? [serverOf(server, filters)] : [],
  );
}

function serverOf(server: MapNode, filters: ToolChoiceConfig): McpServerConfig {
  const read = keyReader(server, serverKeys);
  const own = read("allowed_tools") ?? [];
  return {
    where: pathOf(server),
    name: read("name") ?? "",
    transport: transportOf(server),
    connectTimeoutSeconds: read("connect_timeout") ?? 30,
    callTimeoutSeconds: read("timeout") ?? 60,
    maxRetries: read("max_retries") ?? 3,
    concurrency: read("concurrency") ?? 4,
    allowedTools: own.length === 0 ? filters.allowed : own,
    excludedTools: [...filters.excluded, ...(read("exclude_tools") ?? [])],
    expectedTools: [...own, ...(read("exclude_tools") ?? []), ...(read("read_only_tools") ?? []), ...(read("destructive_tools") ?? [])],
    trust: read("trust") ?? "low",
    isOptional: read("optional") ?? true,
    isPinned: read("pin") ?? false,
    readOnlyTools: read("read_only_tools") ?? [],
    destructiveTools: read("destructive_tools") ?? [],
    exposesResources: read("expose_resources") ?? false,
  };
}

function transportOf(server: MapNode): McpServerConfig["transport"] {
  const read = keyReader(server, serverKeys);
  if (read("type") === "stdio")
    return {
      kind: "stdio",
      argv: [...(commandOf(server.entries.get("command")) ?? []), ...argsOf(server.entries.get("args"))],
      cwd: read("cwd")?.trim() || null,
      env: textsOf(server, "env"),
    };
  const security = readSecurity(server);
  return {
    kind: "http",
    url: read("url") ?? "",
    headers: textsOf(server, "headers"),
    readTimeoutSeconds: read("http_read_timeout") ?? 300,
    networks: [...(security.allowLocalhost ? (["loopback"] as const) : []), ...(security.allowPrivateIps ? (["private"] as const) : [])],
    trustedHosts: security.allowedHostnames,
  };
}

function textsOf(server: MapNode, key: string): Readonly<Record<string, string>> {
  const map = server.entries.get(key);
  return map?.kind === "map" ? toRecord(map.entries, (node) => String(toValue(node) ?? "")) : {};
}
