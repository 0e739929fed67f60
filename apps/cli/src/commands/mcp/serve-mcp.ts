import { serveMcpStdio } from "@massgen/server";
import type { McpServeRequest } from "../../args/serve-request.js";
import { examplesDir } from "../../examples-dir.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { homeOf, readEnv } from "../../read-env.js";
import { serve } from "../serve.js";
import { defaultsOf } from "../serve-defaults.js";

/** `massgen mcp serve`: until the client closes its end. Standard output belongs to the protocol; everything else is on stderr. */
export async function serveMcp(request: McpServeRequest, io: Io): Promise<ExitCode> {
  if (request.http !== null) return serve(request.http, io);
  const { env, warnings } = await readEnv(io);
  for (const { file, line, message } of warnings) io.err.write(`massgen: warning: ${file}${line === null ? "" : `:${line}`}: ${message}\n`);
  await serveMcpStdio(
    {
      cwd: io.cwd,
      home: homeOf(io),
      env,
      examplesDir: examplesDir(env),
      ...defaultsOf(request, env),
      keys: null,
      requestsPerMinute: null,
      corsOrigins: [],
      allowedHosts: null,
      // Whoever starts this process may read what it may read.
      allowAnyPath: true,
      keepLogs: true,
      version: io.version,
      log: null,
    },
    { ...io.wire, signal: io.interrupt },
  );
  return 0;
}
