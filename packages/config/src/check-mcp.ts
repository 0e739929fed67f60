import { describeFound, quoteText } from "./describe.js";
import type { UnsetVariable } from "./expand.js";
import { executableFault, isLevel, type McpSecurity, mayHaveVariable, readSecurity, urlFault } from "./mcp-security.js";
import { nameFault } from "./mcp-server-names.js";
import { isSingleServer } from "./normalise-mcp.js";
import type { Reporter } from "./reporter.js";
import { splitCommand } from "./split-command.js";
import { type ConfigNode, child, type MapNode, toValue } from "./tree.js";

/** Rules of MCP servers (docs/spec/config.md 8). Shapes of single values were checked before. */
export function checkServers(agents: readonly MapNode[], reporter: Reporter): void {
  for (const agent of agents) {
    const backend = agent.entries.get("backend");
    const servers = child(backend, "mcp_servers");
    if (servers?.kind !== "list") continue;
    const names = new Set<string>();
    for (const server of servers.items) {
      if (server.kind === "map") checkServer(server, names, reporter);
      else
        reporter.report("MCP001", server, `an MCP server must be a map, found ${describeFound(server)}`, {
          hint: "{name: files, command: npx, args: […]}",
        });
    }
  }
}

/** `true` for a variable that a server would get as its name; told, unless the server is switched off. */
export function reportUnsetOfServer({ node, name }: UnsetVariable, reporter: Reporter): boolean {
  let at: ConfigNode | null = node;
  while (at !== null && !(at.kind === "map" && isServerNode(at))) at = at.parent;
  if (at === null || !/^(?:env|args|headers|command|url|cwd)$/.test(stepBelow(node, at))) return false;
  if (!isOff(at))
    reporter.report("MCP009", node, `environment variable '${name}' is not set, and this MCP server is to get it`, {
      hint: `Set ${name}, put it in a .env file, or switch the server off with enabled: false.`,
    });
  return true;
}

/** Of a list or map of servers, or the one that stands there by itself. */
const isServerNode = (node: ConfigNode): boolean =>
  node.step === "mcp_servers" ? isSingleServer(node) : node.parent?.step === "mcp_servers" && !isSingleServer(node.parent);

function stepBelow(node: ConfigNode, server: ConfigNode): string {
  let at: ConfigNode = node;
  while (at.parent !== null && at.parent !== server) at = at.parent;
  return String(at.step);
}

const isOff = (server: ConfigNode): boolean => {
  const enabled = child(server, "enabled");
  return enabled !== undefined && toValue(enabled) === false;
};

function checkServer(server: MapNode, names: Set<string>, reporter: Reporter): void {
  checkName(server, names, reporter);
  if (isOff(server)) return;
  const level = textOf(child(child(server, "security"), "level"));
  if (level !== null && !isLevel(level))
    reporter.report("MCP020", child(child(server, "security"), "level")!, `${quoteText(level)} is read as strict`, {
      hint: "Levels: strict, moderate, permissive.",
    });
  const security = readSecurity(server);
  checkTimes(server, reporter);
  const type = child(server, "type");
  const kind = textOf(type);
  if (kind === "stdio") checkProgram(server, security, reporter);
  else if (kind === "streamable-http") checkAddress(server, security, reporter);
  else if (type !== undefined && kind !== null)
    reporter.report("MCP004", type, kind === "sse" ? "the type 'sse' is no more" : `unknown type of server ${quoteText(kind)}`, {
      hint: kind === "sse" ? "Write type: streamable-http; servers that only know SSE are found out." : "Types: stdio, streamable-http.",
    });
}

function checkName(server: MapNode, names: Set<string>, reporter: Reporter): void {
  const node = child(server, "name");
  const name = textOf(node);
  if (node === undefined || name === null) {
    if (node === undefined)
      reporter.report("MCP002", server, "an MCP server needs a 'name'", { on: "key", hint: "Its tools are called mcp__<name>__<tool>." });
    return;
  }
  const fault = nameFault(name);
  if (fault !== null) reporter.report("MCP002", node, `the name ${quoteText(name, 60)} ${fault}`);
  if (names.has(name))
    reporter.report("MCP003", node, `the MCP server ${quoteText(name)} is named twice`, {
      hint: "Give every server of an agent a name of its own.",
    });
  names.add(name);
}

const TIMES = { timeout: 3600, connect_timeout: 3600, http_read_timeout: 300 } as const;

function checkTimes(server: MapNode, reporter: Reporter): void {
  for (const [key, most] of Object.entries(TIMES)) {
    const node = child(server, key);
    const seconds = node === undefined ? null : toValue(node);
    if (node !== undefined && typeof seconds === "number" && !(seconds > 0 && seconds <= most))
      reporter.report("MCP012", node, `'${key}' must be above 0 and at most ${most} seconds, found ${seconds}`);
  }
}

const META = /[&|;`$()<>]|\.\.\//;

function checkProgram(server: MapNode, security: McpSecurity, reporter: Reporter): void {
  const node = child(server, "command");
  const argv = commandOf(node);
  if (node === undefined || argv === null || argv.length === 0)
    reporter.report(
      "MCP005",
      node ?? server,
      node === undefined ? "an MCP server of type stdio needs a 'command'" : "'command' is no command",
      {
        on: node === undefined ? "key" : "value",
        hint: "For example: command: npx",
      },
    );
  else if (argv.join(" ").length > 1000 || META.test(argv[0]!))
    reporter.report("MCP005", node, `'command' must be a program, without shell syntax and '../', of at most 1000 characters`, {
      hint: "Arguments belong in 'args'.",
    });
  else {
    const args = argsOf(child(server, "args"));
    const fault = executableFault([...argv, ...args], security);
    if (fault !== null)
      reporter.report("MCP006", node, `${quoteText(argv[0]!)} ${fault}`, {
        hint: fault.startsWith("with") ? "Add security: {level: moderate}." : "Name it in security.allowed_executables if it is to be run.",
      });
  }
  checkArguments(child(server, "args"), reporter);
  const cwd = textOf(child(server, "cwd"));
  if (cwd !== null && (cwd.length > 500 || cwd.split(/[/\\]/).includes("..")))
    reporter.report("MCP013", child(server, "cwd")!, "'cwd' must have at most 500 characters and no '..'");
  checkEnvironment(child(server, "env"), security, reporter);
}

function checkArguments(node: ConfigNode | undefined, reporter: Reporter): void {
  if (node?.kind !== "list") return;
  if (node.items.length > 50) reporter.report("MCP013", node, `'args' has ${node.items.length} entries; at most 50 are allowed`);
  else
    for (const item of node.items)
      if (String(toValue(item)).length > 500) reporter.report("MCP013", item, "an argument has at most 500 characters");
}

const SHELL_SYNTAX = /\$\(|[`&;|]/;

function checkEnvironment(node: ConfigNode | undefined, security: McpSecurity, reporter: Reporter): void {
  if (node?.kind !== "map") return;
  for (const [name, value] of node.entries) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) || !mayHaveVariable(name, security))
      reporter.report("MCP007", value, `the variable ${quoteText(name, 60)} may not be set for a server at level ${security.env.level}`, {
        on: "key",
        hint: "See security.env: level, allowed_vars.",
      });
    // As written: what a variable holds is nobody's shell.
    const written = value.kind === "scalar" ? String(value.written) : null;
    if (written === null || written.length > 1000 || SHELL_SYNTAX.test(written))
      reporter.report(
        "MCP008",
        value,
        `the value of '${name.slice(0, 60)}' must be a text without shell syntax, of at most 1000 characters`,
      );
  }
}

function checkAddress(server: MapNode, security: McpSecurity, reporter: Reporter): void {
  const node = child(server, "url");
  const url = textOf(node);
  if (node === undefined || url === null) {
    if (node === undefined) reporter.report("MCP010", server, "an MCP server of type streamable-http needs a 'url'", { on: "key" });
  } else {
    const fault = urlFault(url, security);
    if (fault !== null) reporter.report(fault.is === "url" ? "MCP010" : "MCP011", node, `'url' ${fault.why}`, { hint: fault.wayOut });
  }
  const headers = child(server, "headers");
  if (headers?.kind !== "map") return;
  for (const [name, value] of headers.entries)
    if (
      !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) ||
      value.kind !== "scalar" ||
      String(value.value).length > 1000 ||
      /[\r\n\0]/.test(String(value.value))
    )
      reporter.report(
        "MCP013",
        value,
        `the header '${name.slice(0, 60)}' must have a name of at most 100 and a text of at most 1000 characters on one line`,
      );
}

/** A list is taken as it is, a text is parted as a shell would. */
export function commandOf(node: ConfigNode | undefined): readonly string[] | null {
  const value = node === undefined ? null : toValue(node);
  if (typeof value === "string") return splitCommand(value);
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value : null;
}

/** Numbers are texts to a program. */
export const argsOf = (node: ConfigNode | undefined): readonly string[] =>
  node?.kind === "list" ? node.items.map((item) => (item.kind === "scalar" ? (item.source ?? String(item.value)) : "")) : [];

const textOf = (node: ConfigNode | undefined): string | null =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : null;
