import { built, closed, free, ignored, type KeyTable, off } from "../key-table.js";
import { bool, count, countOrZero, listOrMap, map, number, oneOf, scalars, text, textOrTexts, texts } from "../shapes.js";

export const securityEnvKeys = {
  level: built(text),
  mode: built(oneOf(["denylist", "allowlist"])),
  allowed_vars: built(texts),
  denied_vars: built(texts),
};

const securityEnv = closed("CFG042", "CFG033", securityEnvKeys);

export const securityKeys = {
  level: built(text),
  allow_localhost: built(bool),
  allow_private_ips: built(bool),
  allow_insecure_http: built(bool),
  // Every address is looked at, asked for or not.
  resolve_dns: built(bool),
  allowed_hostnames: built(texts),
  allowed_executables: built(texts),
  env: built(map, { keys: () => securityEnv }),
};

export const securityTable: KeyTable = closed("CFG042", "CFG033", securityKeys);

export const serverKeys = {
  name: built(text, { code: "MCP002" }),
  type: built(text, { code: "MCP004" }),
  command: built(textOrTexts, { code: "MCP005" }),
  args: built(scalars, { code: "MCP013" }),
  cwd: built(text, { code: "MCP013" }),
  env: built(map, { keys: () => free }),
  url: built(text, { code: "MCP010" }),
  headers: built(map, { keys: () => free }),
  timeout: built(number, { code: "MCP012" }),
  http_read_timeout: built(number, { code: "MCP012" }),
  connect_timeout: built(number, { code: "MCP012" }),
  max_retries: built(countOrZero),
  concurrency: built(count),
  allowed_tools: built(texts),
  exclude_tools: built(texts),
  read_only_tools: built(texts),
  destructive_tools: built(texts),
  trust: built(oneOf(["low", "normal"])),
  optional: built(bool),
  enabled: built(bool),
  pin: built(bool),
  expose_resources: built(bool),
  security: built(map, { keys: () => securityTable }),
  defer_loading: ignored("claudeTools", bool),
  strict: ignored("claudeTools", bool),
  shared: ignored("mcpSharing", bool),
  paths: ignored("mcpPaths", map, { keys: () => free }),
  sandbox: ignored("mcpSandbox", oneOf(["inherit", "off"]), off("off")),
};

export const serverTable: KeyTable = closed("CFG042", "CFG033", serverKeys);

/** MCP servers, a list or a map by name (docs/spec/config.md 8). */
export const mcpKeys = { mcp_servers: built(listOrMap, { code: "MCP001", each: () => serverTable }) };
