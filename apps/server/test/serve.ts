import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Respond, type Simulator, startSimulator } from "@massgen/simulator";
import { createServer, type MassgenServer, type ServerOptions } from "../src/index.js";

export interface Served {
  readonly url: string;
  readonly server: MassgenServer;
  readonly simulator: Simulator;
  readonly folder: string;
  readonly logLines: readonly string[];
  close(): Promise<void>;
}

/** A server on loopback in front of simulated models, in a folder of its own with a `team.yaml`. */
export async function serve(
  respond: Respond,
  ids: readonly string[] = ["ada", "bob"],
  change: Partial<ServerOptions> = {},
): Promise<Served> {
  const simulator = await startSimulator({ respond });
  const folder = await mkdtemp(join(tmpdir(), "massgen-server-"));
  const agents = ids.map((id) => ({
    id,
    backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions"), max_retries: 0 },
  }));
  await writeFile(join(folder, "team.yaml"), JSON.stringify({ agents }));
  const logLines: string[] = [];
  const server = await createServer({
    cwd: folder,
    home: folder,
    env: {},
    examplesDir: null,
    config: "team.yaml",
    defaultModel: null,
    keys: null,
    maxConcurrent: 4,
    requestsPerMinute: null,
    corsOrigins: [],
    allowedHosts: null,
    allowAnyPath: false,
    keepLogs: true,
    version: "1.2.3",
    log: { level: "warn", write: (line) => logLines.push(line) },
    ...change,
  });
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    server,
    simulator,
    folder,
    logLines,
    async close() {
      await server.close(0);
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const post = (url: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });

/** The data of every event of a stream, `[DONE]` included. */
export async function events(response: Response): Promise<readonly string[]> {
  const text = await response.text();
  return text.split("\n\n").flatMap((block) => (block.startsWith("data: ") ? [block.slice("data: ".length)] : []));
}
