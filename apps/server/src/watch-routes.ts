import type { FastifyInstance } from "fastify";
import type { ServerContext } from "./context.js";
import { ApiError } from "./errors.js";

/** For whoever watches over the server: is it there, can it take work, what has it done. */
export function watchRoutes(app: FastifyInstance, { options, admission, metrics, teams, queue }: ServerContext): void {
  app.get("/health", () => ({ status: "ok", service: "massgen-server", version: options.version }));
  app.get("/ready", async () => {
    if (admission.active() >= options.maxConcurrent) throw new ApiError(503, "All seats for runs are taken.", { code: "too_many_runs" });
    // Without a default config a server is ready for requests that name one.
    if (options.recorded === undefined)
      await teams.find("massgen", null).catch((error: unknown) => {
        if (error instanceof ApiError && error.body.error.code !== "config_not_found")
          throw new ApiError(503, error.message, { code: "config_invalid" });
      });
    if (queue !== null) {
      const counts = await queue.count().catch(() => {
        throw new ApiError(503, "The database is out of reach.", { code: "database_unreachable" });
      });
      return { status: "ready", active: admission.active(), max: options.maxConcurrent, queue: counts };
    }
    return { status: "ready", active: admission.active(), max: options.maxConcurrent };
  });
  app.get("/metrics", async (_request, reply) => {
    const text = await metrics.text();
    return reply.type(metrics.contentType).send(text);
  });
}
