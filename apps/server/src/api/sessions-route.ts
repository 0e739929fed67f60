import { listSessions, sessionPlaces } from "@massgen/sdk";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ServerContext } from "../context.js";
import { readAs } from "../v1/chat-request.js";

const query = z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(50) });

/** Conversations of the server's folder and user, newest first. */
export function sessionRoutes(app: FastifyInstance, { options }: ServerContext): void {
  app.get("/api/sessions", async (request) => {
    const { limit } = readAs(query, request.query);
    const onWarning = (message: string): void => request.log.warn(message);
    const places = sessionPlaces({ cwd: options.cwd, env: { ...options.env, HOME: options.home }, onWarning });
    const { sessions, total } = await listSessions(places, limit);
    return {
      total,
      sessions: sessions.map(({ id, status, turns, startedAt, description }) => ({ id, status, turns, startedAt, description })),
    };
  });
}
