import { join, resolve } from "node:path";
import type { McpServerConfig } from "@massgen/config";
import type { McpServer } from "@massgen/mcp";

/** Where logins to servers are kept. */
export const loginFile = (home: string): string => join(home, ".massgen", "mcp_auth.json");

/** A server as configured, for one agent. `folder`: its workspace, else the folder of the run. */
export function serverOf(
  { where: _where, transport, ...server }: McpServerConfig,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): McpServer {
  const placed = (text: string): string => text.replaceAll(CWD, folder);
  const { connectTimeoutSeconds, callTimeoutSeconds, ...rest } = server;
  return {
    ...rest,
    connectTimeoutMs: connectTimeoutSeconds * 1000,
    callTimeoutMs: callTimeoutSeconds * 1000,
    transport:
      transport.kind === "http"
        ? { ...transport, readTimeoutMs: transport.readTimeoutSeconds * 1000 }
        : {
            kind: "stdio",
            argv: transport.argv.map(placed),
            cwd: transport.cwd === null ? folder : resolve(cwd, placed(transport.cwd)),
            env: Object.fromEntries(Object.entries(transport.env).map(([name, value]) => [name, placed(value)])),
          },
  };
}

/** Stands for the workspace of the agent. */
const CWD = "$" + "{cwd}";
