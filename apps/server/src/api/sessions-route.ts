import type { SessionSummary } from "@massgen/client";
import { listSessions, sessionPlaces } from "@massgen/sdk";
import type { RunQueue } from "@massgen/store-postgres";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ServerContext } from "../context.js";
import { queuedRequest } from "../runs/queued-summary.js";
import { readAs } from "../v1/chat-request.js";
import { queuedTurns, sessionTurns } from "./session-turns.js";

const query = z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(50) });

type WithId = { Params: { id: string } };

/** Conversations of the server's folder and user, newest first. */
export function sessionRoutes(app: FastifyInstance, { options, queue }: ServerContext): void {
  app.get("/api/sessions", async (request) => {
    const { limit } = readAs(query, request.query);
    if (queue !== null) return queuedSessions(queue, limit);
    const onWarning = (message: string): void => request.log.warn(message);
    const places = sessionPlaces({ cwd: options.cwd, env: { ...options.env, HOME: options.home }, onWarning });
    const { sessions, total } = await listSessions(places, limit);
    return {
      total,
      sessions: sessions.map(({ id, status, turns, startedAt, description }) => ({ id, status, turns, startedAt, description })),
    };
  });
  app.get<WithId>("/api/sessions/:id", (request) => {
    const onWarning = (message: string): void => request.log.warn(message);
    return queue === null ? sessionTurns(request.params.id, options, onWarning) : queuedTurns(request.params.id, queue);
  });
}

/** Those of all servers on the database; each is a number of runs of the queue. */
async function queuedSessions(
  queue: RunQueue,
  limit: number,
): Promise<{ readonly total: number; readonly sessions: readonly SessionSummary[] }> {
  const { sessions, total } = await queue.sessions(limit);
  return {
    total,
    sessions: sessions.map(({ id, turns, startedAtMs, isAtWork, request }) => ({
      id,
      status: isAtWork ? "active" : "completed",
      turns,
      startedAt: new Date(startedAtMs).toISOString(),
      description: queuedRequest.safeParse(request).data?.question.slice(0, 200) ?? null,
    })),
  };
}
