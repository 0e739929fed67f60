import type { Readable, Writable } from "node:stream";
import { openAdmission } from "../admission.js";
import { openMetrics } from "../metrics.js";
import type { ServerOptions } from "../options.js";
import { openRuns } from "../runs/open-runs.js";
import { openTeams } from "../teams.js";

export interface StdioPlace {
  readonly stdin: Readable;
  /** Nothing else may write to it. */
  readonly stdout: Writable;
  /** Ends it; runs under way are cancelled in order. */
  readonly signal: AbortSignal;
}

/** Serves one client over standard input and output until it closes its end, or `signal` aborts. */
export async function serveMcpStdio(options: ServerOptions, { stdin, stdout, signal }: StdioPlace): Promise<void> {
  // Loaded where they are asked for: whoever imports this package mostly wants the HTTP server.
  const [{ StdioServerTransport }, { createMcpServer }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/stdio.js"),
    import("./mcp-server.js"),
  ]);
  const stop = new AbortController();
  const admission = openAdmission(options.maxConcurrent);
  const runs = openRuns({ options, admission, teams: openTeams(options), metrics: openMetrics(admission.active), stopping: stop.signal });
  const server = createMcpServer(runs, options.version);
  const over = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
    stdout.once("error", () => resolve());
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  await over;
  stop.abort(new Error("the client is gone"));
  await admission.close();
  await runs.kept();
  await server.close();
}
