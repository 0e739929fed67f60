import { serverLines, toolLines } from "../commands/mcp/server-lines.js";
import type { Io } from "../io.js";
import { homeOf, readEnv } from "../read-env.js";
import type { Dialogue } from "./dialogue.js";

/** The MCP servers of the team as they are now: a turn starts its own, so each is started for the look and ended again. */
export async function mcpText(
  { team }: { readonly team: Pick<Dialogue["team"], "config" | "loaded"> },
  argument: string,
  io: Io,
): Promise<string> {
  if (team.config.agents.every(({ mcpServers }) => mcpServers.length === 0)) return "this team has no MCP servers\n";
  const { inspectServers } = await import("@massgen/sdk/mcp");
  const { env } = await readEnv(io);
  const inspection = await inspectServers({
    config: team.config,
    env,
    cwd: io.cwd,
    home: homeOf(io),
    signal: io.interrupt,
    secrets: team.loaded.secrets,
    ...(argument === "" ? {} : { server: argument }),
  });
  try {
    const { servers, redact } = inspection;
    return redact(argument === "" ? serverLines(servers) : toolLines(servers, io.out.columns()));
  } finally {
    await inspection.close();
  }
}
