import { closed, free, ignored, type KeyTable } from "../key-table.js";
import { anything, bool, count, listOrMap, map, number, seconds, text, textOrTexts, texts } from "../shapes.js";

const securityEnv = closed("CFG042", "CFG033", {
  level: ignored("mcp", text),
  mode: ignored("mcp", text),
  allowed_vars: ignored("mcp", texts),
  denied_vars: ignored("mcp", texts),
});

const security = closed("CFG042", "CFG033", {
  level: ignored("mcp", text),
  allow_localhost: ignored("mcp", bool),
  allow_private_ips: ignored("mcp", bool),
  resolve_dns: ignored("mcp", bool),
  allowed_hostnames: ignored("mcp", texts),
  allowed_executables: ignored("mcp", texts),
  env: ignored("mcp", map, { keys: () => securityEnv }),
});

const server = closed("CFG042", "CFG033", {
  name: ignored("mcp", text),
  type: ignored("mcp", text),
  command: ignored("mcp", textOrTexts),
  args: ignored("mcp", anything),
  cwd: ignored("mcp", text),
  env: ignored("mcp", map, { keys: () => free }),
  url: ignored("mcp", text),
  headers: ignored("mcp", map, { keys: () => free }),
  timeout: ignored("mcp", seconds),
  http_read_timeout: ignored("mcp", seconds),
  allowed_tools: ignored("mcp", texts),
  exclude_tools: ignored("mcp", texts),
  security: ignored("mcp", map, { keys: () => security }),
  defer_loading: ignored("mcp", bool),
  strict: ignored("mcp", bool),
  enabled: ignored("mcp", bool),
  connect_timeout: ignored("mcp", seconds),
  max_retries: ignored("mcp", number),
  concurrency: ignored("mcp", count),
  shared: ignored("mcp", anything),
  trust: ignored("mcp", anything),
  paths: ignored("mcp", anything),
  sandbox: ignored("mcp", anything),
  optional: ignored("mcp", anything),
  pin: ignored("mcp", anything),
  read_only_tools: ignored("mcp", texts),
  destructive_tools: ignored("mcp", texts),
  expose_resources: ignored("mcp", anything),
});

/** MCP servers of one agent, a list or a map by name (docs/spec/config.md 8). */
export const mcpKeys = { mcp_servers: ignored("mcp", listOrMap, { each: (): KeyTable => server }) };
