import { resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import type { createServer } from "@massgen/server";
import type { ServeRequest } from "../args/serve-request.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { homeOf, readEnv } from "../read-env.js";
import { webDir } from "../web-dir.js";
import { databaseOf, withoutDatabase } from "./database-url.js";
import { isLoopback, listenUntilInterrupted } from "./listen.js";
import { defaultsOf, numberIn, orNull } from "./serve-defaults.js";
import { keysOf, makeKey } from "./server-keys.js";
import { telemetryOf } from "./telemetry.js";

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 4000;
const DEFAULT_MAX_WAITING = 1_000;

/**
 * `massgen serve`: a team behind an OpenAI-compatible API, until a signal stops it (docs/spec/cli.md 17). `ready` is told the
 * address once it listens; what it rejects with ends the server.
 */
export async function serve(request: ServeRequest, io: Io, ready: (address: string) => Promise<void> = nothing): Promise<ExitCode> {
  const home = homeOf(io);
  const { env, warnings } = await readEnv(io);
  for (const { file, line, message } of warnings) io.err.write(`massgen: warning: ${file}${line === null ? "" : `:${line}`}: ${message}\n`);
  if (request.newKey !== null) return makeKey(request.newKey, resolve(io.cwd, request.keysFile ?? ""), io);
  const host = request.host ?? orNull(env["MASSGEN_SERVER_HOST"]) ?? DEFAULT_HOST;
  const port = request.port ?? numberIn(env, "MASSGEN_SERVER_PORT", 0, 65_535) ?? DEFAULT_PORT;
  const keys = await keysOf(request, env, io.cwd);
  if (keys === null && !request.insecure && !isLoopback(host)) throw openToAll(host);
  const databaseUrl = databaseOf(request.databaseUrl, env);
  const { createServer } = await import("@massgen/server");
  const isDebug = request.debug || ["1", "true", "yes", "y", "on"].includes(env["MASSGEN_SERVER_DEBUG"]?.toLowerCase() ?? "");
  const telemetry = await telemetryOf(io, (message) => io.err.write(`massgen: warning: ${message}\n`));
  const server = await createServer({
    ...(telemetry === null ? {} : { observeRun: () => telemetry.run() }),
    cwd: io.cwd,
    home,
    env: withoutDatabase(env),
    examplesDir: examplesDir(env),
    ...defaultsOf(request, env),
    keys,
    requestsPerMinute: request.requestsPerMinute,
    corsOrigins: request.corsOrigins,
    allowedHosts: keys === null && !request.insecure ? [...new Set(["127.0.0.1", "localhost", "[::1]", host.toLowerCase()])] : null,
    allowAnyPath: request.allowAnyPath,
    keepLogs: request.logs,
    // A page that anybody can open must not be a way to write keys, or teams that run programs.
    ...(request.web ? { web: webDir(), setup: keys !== null || (isLoopback(host) && !request.insecure), processEnv: io.env } : {}),
    ...(databaseUrl === null ? {} : { database: { url: databaseUrl, mostWaiting: request.maxWaiting ?? DEFAULT_MAX_WAITING } }),
    version: io.version,
    log: { level: isDebug ? "debug" : "warn", write: (line) => io.err.write(line) },
  });
  await checkDefault(server, request, io);
  const told = async (address: string): Promise<void> => {
    if (keys === null) io.err.write("massgen: note: no key is asked for; give --api-key or --keys-file to ask for one.\n");
    await ready(address);
  };
  try {
    await listenUntilInterrupted(server, { host, port, ready: told }, io);
  } finally {
    await telemetry?.close();
  }
  return 0;
}

const nothing = async (): Promise<void> => {};

/** A default that cannot work is told at once, not by the first client. Without one, requests must name theirs. */
async function checkDefault(server: Awaited<ReturnType<typeof createServer>>, request: ServeRequest, io: Io): Promise<void> {
  const error = await server.defaultFault();
  if (error === null) return;
  if (error.body.error.code !== "config_not_found" || request.config !== null)
    throw new MassgenError("CONFIG_INVALID", error.message, { exitCode: 1 });
  io.err.write("massgen: note: there is no default config; requests must name a team, as massgen/model:<name> or massgen/<example>.\n");
}

const openToAll = (host: string): MassgenError =>
  new MassgenError("CONFIG_INVALID", `The server would listen on ${host} without a key: anybody there could spend your money.`, {
    exitCode: 1,
    hint: "Give --api-key or --keys-file, keep to 127.0.0.1, or say --insecure when something in front of it asks for keys.",
  });
