import type { JsonValue } from "@massgen/contracts";
import { inspectServers, logInToServer, logOutOfServer, type ServerInspection } from "@massgen/sdk/mcp";
import { resolveTeam } from "@massgen/sdk/team";
import type { McpRequest } from "../../args/mcp-request.js";
import { checkLines } from "../../doctor/check-lines.js";
import { examplesDir } from "../../examples-dir.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { createPaint, wantsColour } from "../../output/paint.js";
import { visibleJson, visibleText } from "../../output/visible-text.js";
import { homeOf, readEnv } from "../../read-env.js";
import type { Session } from "../../session.js";
import { demandConfig } from "../config-issues.js";
import { checkServers } from "./check-servers.js";
import { plainResult, resultText, serverLines, serverRows, toolLines, toolRows } from "./server-lines.js";

/** `massgen mcp`: looks at the MCP servers of a config. Each is started for that and ended again. */
export async function manageServers(request: McpRequest, io: Io, session: Session): Promise<ExitCode> {
  const home = homeOf(io);
  const { env, warnings } = await readEnv(io);
  for (const { file, line, message } of warnings) io.err.write(`massgen: warning: ${file}${line === null ? "" : `:${line}`}: ${message}\n`);
  const named = request.config === null ? {} : { config: request.config };
  const team = await resolveTeam(named, { env, cwd: io.cwd, home, examplesDir: examplesDir(env) });
  const config = demandConfig(team.loaded);
  const common = { config, env, cwd: io.cwd, home, signal: io.interrupt };
  if (request.verb === "login") {
    const visit = async (url: URL): Promise<void> => io.err.write(`Open this page to log in to ${request.server}:\n\n  ${url.href}\n\n`);
    await logInToServer({ ...common, server: request.server, visit });
    io.out.write(`Logged in to ${request.server}.\n`);
    return 0;
  }
  if (request.verb === "logout") {
    const wasThere = await logOutOfServer({ config, home, server: request.server });
    io.out.write(wasThere ? `The login to ${request.server} is forgotten.\n` : `There was no login to ${request.server}.\n`);
    return 0;
  }
  const only = request.verb === "call" ? serverIn(request.tool, config) : request.server;
  const inspection = await inspectServers({ ...common, secrets: team.loaded.secrets, ...(only === null ? {} : { server: only }) });
  session.redact = inspection.redact;
  try {
    return await show(request, inspection, io);
  } finally {
    await inspection.close();
  }
}

/** A tool named as models see it says whose it is, and the other servers need not be started. */
function serverIn(tool: string, { agents }: ReturnType<typeof demandConfig>): string | null {
  const names = agents.flatMap(({ mcpServers }) => mcpServers.map(({ name }) => name));
  return names.find((name) => tool.startsWith(`mcp__${name}__`)) ?? null;
}

async function show(request: McpRequest, inspection: ServerInspection, io: Io): Promise<ExitCode> {
  const { servers } = inspection;
  const write = (json: unknown, text: string): void => io.out.write(request.json ? `${visibleJson(json)}\n` : text);
  switch (request.verb) {
    case "list":
      write({ servers: serverRows(servers) }, servers.length === 0 ? "The config has no MCP servers.\n" : serverLines(servers));
      return 0;
    case "tools":
      write({ servers: toolRows(servers) }, toolLines(servers, io.out.columns()));
      return servers.some(({ report }) => report.state === "failed") ? 1 : 0;
    case "doctor": {
      const checks = checkServers(servers);
      const isWell = checks.every(({ state }) => state !== "problem");
      const paint = createPaint(wantsColour(io.env, io.out.isTerminal));
      write({ ok: isWell, checks }, checkLines(checks, { paint, columns: io.out.columns(), ready: "Ready." }));
      return isWell ? 0 : 1;
    }
    case "call": {
      // A server that failed says why better than the tool that is missing then.
      const failed = servers.filter(({ report }) => report.state === "failed");
      for (const { report } of failed) io.err.write(`massgen: ${report.name}: ${report.error}\n`);
      if (failed.length > 0 && failed.length === servers.length) return 2;
      const note = (progress: string): void => io.err.write(`massgen: ${visibleText(progress)}\n`);
      // What was parsed from JSON is JSON.
      const output = await inspection.call(request.tool, request.input as JsonValue, note);
      write(plainResult(output), `${resultText(output)}\n`);
      return output.isError ? 2 : 0;
    }
    default:
      return 0;
  }
}
