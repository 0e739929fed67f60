import { basename } from "node:path";
import type { SessionSummary, SessionTurns } from "@massgen/client";
import { MassgenError } from "@massgen/contracts";
import { findSession, listSessions, type SessionWhere, sessionPlaces } from "@massgen/sdk";
import type { RunQueue } from "@massgen/store-postgres";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ServerContext } from "../context.js";
import { ApiError } from "../errors.js";
import { queuedRequest } from "../runs/queued-summary.js";
import { readAs } from "../v1/chat-request.js";

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
    if (queue !== null) throw new ApiError(404, "With a queue the turns are runs of GET /api/runs.", { param: "id", code: "not_here" });
    const onWarning = (message: string): void => request.log.warn(message);
    return turnsOf(request.params.id, { cwd: options.cwd, env: { ...options.env, HOME: options.home }, onWarning });
  });
}

/** Opened for a moment: what is at work is asked for again later. */
async function turnsOf(id: string, where: SessionWhere): Promise<SessionTurns> {
  const session = await findSession(id, where).catch((error: unknown) => {
    if (MassgenError.is(error, "STORE_CONFLICT"))
      throw new ApiError(409, "A question of this conversation is at work.", { param: "id", code: "in_use" });
    if (MassgenError.is(error, "USAGE")) return null;
    throw error;
  });
  if (session === null) throw new ApiError(404, "There is no such conversation.", { param: "id", code: "session_not_found" });
  try {
    const log = session.logRoot === null ? null : basename(session.logRoot);
    const turns = session.turns().map(({ turn, task, answer, status, winner, timestamp }) => ({
      turn,
      runId: log === null ? null : `${log}.${turn}`,
      question: task,
      answer,
      isComplete: status === "complete",
      winner,
      at: timestamp,
    }));
    return { id, turns };
  } finally {
    await session.close();
  }
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
