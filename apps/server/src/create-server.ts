import { randomUUID } from "node:crypto";
import cors from "@fastify/cors";
import rateLimit from "@fastify/rate-limit";
import type { MassgenError } from "@massgen/contracts";
import type { RunQueue } from "@massgen/store-postgres";
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { openAdmission } from "./admission.js";
import { runRoutes } from "./api/runs-route.js";
import { sessionRoutes } from "./api/sessions-route.js";
import { steerRoutes } from "./api/steer-routes.js";
import { authenticate, checkHost, checkOnlyReads, checkOrigin } from "./auth.js";
import type { ServerContext } from "./context.js";
import { ApiError, badRequest, type ErrorBody, errorOfRun } from "./errors.js";
import { pathsHider } from "./hide-paths.js";
import { mcpRoutes } from "./mcp/mcp-route.js";
import { openMetrics } from "./metrics.js";
import { openApiRoutes } from "./openapi.js";
import { MAX_BODY_BYTES, type ServerOptions } from "./options.js";
import { openRuns, type Runs } from "./runs/open-runs.js";
import { openQueuedRuns } from "./runs/queued-runs.js";
import { openRecordedRuns } from "./runs/recorded-runs.js";
import type { LiveEnv } from "./setup/keys.js";
import { setupRoutes } from "./setup/setup-routes.js";
import { openTeams } from "./teams.js";
import { chatRoutes } from "./v1/chat-route.js";
import { modelRoutes } from "./v1/models-route.js";
import { responsesRoutes } from "./v1/responses-route.js";
import { watchRoutes } from "./watch-routes.js";
import { readPage, webRoutes } from "./web-page.js";

export interface MassgenServer {
  /** For requests without a socket, in tests. */
  readonly app: FastifyInstance;
  /** What it answers, without the methods that follow from these (`HEAD`, `OPTIONS`). */
  routes(): readonly { readonly method: string; readonly url: string }[];
  /** Begins to listen; port 0 takes a free one. Gives the address, `http://127.0.0.1:4000`. */
  listen(place: { readonly host: string; readonly port: number }): Promise<string>;
  /** What is wrong with the default team; `null` when it is good. */
  defaultFault(): Promise<ApiError | null>;
  /** Takes no more requests, waits for those under way up to `graceMs`, then cancels them. Resolves when all is closed. */
  close(graceMs: number): Promise<void>;
}

/** Builds a server; nothing listens yet and no config is read. */
export async function createServer(given: ServerOptions): Promise<MassgenServer> {
  // A copy of its own, which keys that are stored while it runs are put into.
  const env: LiveEnv = { ...given.env };
  const options: ServerOptions = { ...given, env };
  const stop = new AbortController();
  const page = options.web === undefined ? null : await readPage(options.web);
  const admission = openAdmission(options.maxConcurrent);
  const shared = {
    options,
    admission,
    teams: openTeams(options),
    metrics: openMetrics(admission.active),
    hidePaths: pathsHider(options),
    stopping: stop.signal,
  };
  const { database, recorded } = options;
  const queue = database === undefined || recorded !== undefined ? null : await openQueue(database);
  const runs = runsOf();
  const keyNames = new WeakMap<FastifyRequest, string>();
  const context: ServerContext = { ...shared, runs, queue, keyNameOf: (request) => keyNames.get(request) ?? null };
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers["x-request-id"]),
    logger:
      options.log === null
        ? false
        : { level: options.log.level, stream: { write: options.log.write }, redact: ["req.headers.authorization"] },
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 512 },
  });
  const routes: { readonly method: string; readonly url: string }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    if (page?.paths.has(url)) return;
    for (const one of [method].flat())
      if (one === "GET" || one === "POST" || one === "PUT" || one === "DELETE") routes.push({ method: one, url });
  });
  app.setErrorHandler((error: Thrown, request, reply) => {
    const failed = apiErrorOf(error, shared.hidePaths);
    if (failed.status === 500) request.log.error({ cause: failed.cause }, "a request failed");
    return sendError(reply, failed);
  });
  app.setNotFoundHandler((request, reply) => {
    const message = `There is no ${request.method} ${request.url.split("?")[0]?.slice(0, 200)}.`;
    return sendError(reply, new ApiError(404, message, { code: "not_found" }));
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    // Whoever asks for permission to call from another origin cannot send a key yet.
    if (request.method === "OPTIONS" && options.corsOrigins.length > 0) return;
    checkHost(request, options.allowedHosts);
    checkOrigin(request, options.corsOrigins);
    if (recorded !== undefined) checkOnlyReads(request);
    const name = authenticate(request, options.keys, page?.paths ?? NO_PAGE);
    if (name !== null) keyNames.set(request, name);
  });
  app.addHook("onResponse", async (request, reply) => {
    context.metrics.answered(request.routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime / 1000);
  });
  if (options.corsOrigins.length > 0) await app.register(cors, { origin: [...options.corsOrigins] });
  if (options.requestsPerMinute !== null) {
    await app.register(rateLimit, {
      max: options.requestsPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => keyNames.get(request) ?? request.ip,
      allowList: (request) => request.url === "/health" || request.url === "/ready",
      errorResponseBuilder: (_request, { max }) =>
        new ApiError(429, `More than ${max} requests in a minute.`, { code: "rate_limit_exceeded" }),
    });
  }
  watchRoutes(app, context);
  openApiRoutes(app, context);
  runRoutes(app, context);
  if (recorded === undefined) {
    modelRoutes(app, context);
    chatRoutes(app, context);
    responsesRoutes(app, context);
    mcpRoutes(app, context);
    steerRoutes(app, context);
    // Also to look at a conversation takes it for a moment, so that whoever goes on with it may find it in use.
    sessionRoutes(app, context);
    if (options.setup === true) setupRoutes(app, context, env);
  }
  if (page !== null) await webRoutes(app, page);

  return {
    app,
    routes: () => routes,
    async defaultFault() {
      try {
        await context.teams.find("massgen", null);
        return null;
      } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
      }
    },
    listen: ({ host, port }) => app.listen({ host, port }),
    async close(graceMs) {
      const isIdle = admission.close();
      const timer = setTimeout(() => stop.abort(new Error("the server stops")), graceMs);
      await isIdle;
      clearTimeout(timer);
      // Changes that wait for a review take no seat; they wait on the disk from now on.
      stop.abort(new Error("the server stops"));
      await runs.kept();
      await app.close();
      await queue?.close();
    },
  };

  function runsOf(): Runs {
    if (recorded !== undefined) return openRecordedRuns({ options, logs: recorded.logs, stopping: stop.signal });
    if (queue !== null) return openQueuedRuns({ ...shared, queue, mostWaiting: database?.mostWaiting ?? 0 });
    return openRuns(shared);
  }
}

const NO_PAGE: ReadonlySet<string> = new Set();

/** Loaded where it is asked for: most servers have no database. */
const openQueue = async (database: NonNullable<ServerOptions["database"]>): Promise<RunQueue> =>
  (await import("@massgen/store-postgres")).openRunQueue(database);

/** An id of the client is kept when it is fit for a log line; anything else is replaced. */
const requestId = (given: string | readonly string[] | undefined): string =>
  typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();

type Thrown = FastifyError | ApiError | MassgenError;

function apiErrorOf(error: Thrown, hidePaths: (text: string) => string): ApiError {
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (status === 413) return new ApiError(413, `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`, { code: "body_too_large" });
  if (status === 415) return new ApiError(415, "Send JSON: `Content-Type: application/json`.", { code: "not_json" });
  if (status !== undefined && status < 500)
    return badRequest("The request cannot be read: the body must be JSON.", null, "invalid_request");
  return errorOfRun(error, hidePaths);
}

const sendError = (reply: FastifyReply, { status, body, headers }: ApiError): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body satisfies ErrorBody);
