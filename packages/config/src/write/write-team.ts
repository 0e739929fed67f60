import { stringify } from "yaml";

/** One agent as a dialogue puts it together. */
export interface AgentDraft {
  readonly id: string;
  readonly type: string;
  readonly model: string;
  /** Default: the provider's own address. */
  readonly baseUrl?: string;
  readonly reasoningEffort?: string;
  readonly systemMessage?: string;
  readonly webSearch?: true;
  readonly codeExecution?: true;
  /** Files of its own, tools for them, and the context paths. */
  readonly files?: true;
  /** Commands, behind the sandbox of the system or in a container; only with `files`. */
  readonly commands?: "sandbox" | "container";
  readonly mcpServers?: readonly McpServerDraft[];
}

/** A server started here, or one at an address. */
export type McpServerDraft =
  | { readonly name: string; readonly command: string; readonly args: readonly string[] }
  | { readonly name: string; readonly url: string };

/** A team as a dialogue puts it together: every field is a decision somebody took. */
export interface TeamDraft {
  readonly agents: readonly AgentDraft[];
  readonly contextPaths?: readonly { readonly path: string; readonly permission: "read" | "write" }[];
  readonly timeoutSeconds?: number;
}

export interface TeamFileHead {
  /** First line of the file, as listings show it. */
  readonly title: string;
  /** Where editors find the schema: a path relative to the file, an absolute one, or an address. `null`: nowhere. */
  readonly schema: string | null;
  /** Further lines of comment. */
  readonly notes?: readonly string[];
}

/**
 * The file of a team, in the language of docs/spec/config.md, with two or more lines of comment above it.
 * A text from a person stands for itself: `${NAME}` in it is escaped, what looks like a number is quoted.
 *
 * @example
 * writeTeam({ agents: [{ id: "ada", type: "openai", model: "gpt-5-mini" }] }, { title: "One agent.", schema: null })
 * // => "# One agent.\n\nagents:\n  - id: ada\n    backend:\n      type: openai\n      model: gpt-5-mini\n"
 */
export function writeTeam(team: TeamDraft, { title, schema, notes = [] }: TeamFileHead): string {
  const lines = [title, ...(schema === null ? [] : [`yaml-language-server: $schema=${schema}`]), ...notes];
  const head = lines.map((line) => `# ${line.replaceAll(/\s+/g, " ").trim()}\n`).join("");
  return `${head}\n${stringify(toPlain(team), { lineWidth: 0, indentSeq: true })}`;
}

/** Keys in the order in which a reader wants them; what nobody decided is left out and keeps its default. */
function toPlain({ agents, contextPaths = [], timeoutSeconds }: TeamDraft): unknown {
  return {
    agents: agents.map(agentOf),
    ...(contextPaths.length === 0
      ? {}
      : { orchestrator: { context_paths: contextPaths.map(({ path, permission }) => ({ path: literal(path), permission })) } }),
    ...(timeoutSeconds === undefined ? {} : { timeout_settings: { orchestrator_timeout_seconds: timeoutSeconds } }),
  };
}

function agentOf({
  id,
  type,
  model,
  baseUrl,
  reasoningEffort,
  systemMessage,
  webSearch,
  codeExecution,
  files,
  commands,
  mcpServers = [],
}: AgentDraft): unknown {
  return {
    id: literal(id),
    backend: {
      type,
      model: literal(model),
      ...(baseUrl === undefined ? {} : { base_url: literal(baseUrl) }),
      ...(reasoningEffort === undefined ? {} : { reasoning: { effort: reasoningEffort } }),
      ...(webSearch === undefined ? {} : { enable_web_search: true }),
      ...(codeExecution === undefined ? {} : { enable_code_execution: true }),
      ...(files === undefined ? {} : { cwd: "workspace" }),
      ...(files === undefined || commands === undefined ? {} : { enable_mcp_command_line: true, ...COMMANDS[commands] }),
      ...(mcpServers.length === 0 ? {} : { mcp_servers: mcpServers.map(serverOf) }),
    },
    ...(systemMessage === undefined ? {} : { system_message: literal(systemMessage) }),
  };
}

const COMMANDS = { sandbox: { command_line_sandbox: "require" }, container: { command_line_execution_mode: "docker" } } as const;

const serverOf = (server: McpServerDraft): unknown =>
  "url" in server
    ? { name: literal(server.name), type: "streamable-http", url: literal(server.url) }
    : { name: literal(server.name), type: "stdio", command: literal(server.command), args: server.args.map(literal) };

const literal = (text: string): string => text.replace(/\$\{[^}]*\}/g, "$$$&");
