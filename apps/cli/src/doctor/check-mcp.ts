import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment, MassgenConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import type { ResolvedTeam } from "@massgen/sdk/team";
import { checkServers } from "../commands/mcp/check-servers.js";
import { type Check, note, ok } from "./check.js";

export interface McpSurroundings {
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
  readonly signal: AbortSignal;
  /** Start them: for a config that was named, or when all is to be tried. That of a folder somebody else made is only read. */
  readonly starts: boolean;
}

/**
 * The MCP servers of the config a run would use; each that is started is ended again. One that fails is a problem only where the
 * config says that it is needed: a run goes on without any other.
 */
export async function checkMcp(find: () => Promise<ResolvedTeam>, { starts, ...around }: McpSurroundings): Promise<readonly Check[]> {
  const team = await find().catch((error: unknown) => {
    if (MassgenError.is(error)) return null; // told with the config
    throw error;
  });
  const config = team?.loaded.config ?? null;
  if (team === null || config === null || config.agents.every(({ mcpServers }) => mcpServers.length === 0)) return [];
  if (!starts) return checkServerCommands(config, around.env);
  const { inspectServers } = await import("@massgen/sdk/mcp");
  const { servers, redact, close } = await inspectServers({ ...around, config, secrets: team.loaded.secrets });
  try {
    return servers.flatMap((server) =>
      checkServers([server]).map(({ name, state, found, remedy }): Check => {
        const row = { name: `MCP ${name}`, state, found: redact(found), remedy: remedy === null ? null : redact(remedy) };
        const goesOn = state === "problem" && server.config.isOptional;
        return goesOn ? note(row.name, `${row.found} A run goes on without it.`, row.remedy ?? "") : row;
      }),
    );
  } finally {
    await close();
  }
}

/** Nothing is started here: what the config names, and whether the programs are there. */
function checkServerCommands({ agents }: MassgenConfig, env: Environment): readonly Check[] {
  const servers = new Map(agents.flatMap(({ mcpServers }) => mcpServers.map((server) => [server.name, server] as const)));
  if (servers.size === 0) return [];
  const missing = [...servers.values()].flatMap(({ name, transport }) => {
    const program = transport.kind === "stdio" ? (transport.argv[0] ?? "") : "";
    return program === "" || isOnPath(program, env["PATH"] ?? "") ? [] : [`${name} (${program})`];
  });
  if (missing.length > 0)
    return [
      note("MCP servers", `no program for ${missing.join(", ")}`, "Install it, or write its full path; massgen mcp doctor tells more."),
    ];
  return [ok("MCP servers", `${[...servers.keys()].join(", ")}; with --online they are started and asked`)];
}

/** Relative paths belong to folders that are not there yet. */
const isOnPath = (program: string, path: string): boolean =>
  program.includes("/")
    ? !isAbsolute(program) || existsSync(program)
    : path.split(delimiter).some((folder) => existsSync(join(folder, program)));
