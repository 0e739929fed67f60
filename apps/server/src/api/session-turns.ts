import { basename, join } from "node:path";
import type { SessionTurns } from "@massgen/client";
import { MassgenError } from "@massgen/contracts";
import { bestPartial, turnEndOf } from "@massgen/logs";
import { findSession } from "@massgen/sdk";
import type { QueuedRun, RunQueue } from "@massgen/store-postgres";
import type { ServerContext } from "../context.js";
import { ApiError } from "../errors.js";
import type { ServerOptions } from "../options.js";
import { queuedRequest, readQueuedView } from "../runs/queued-summary.js";
import { nameOfFile, startableName, startOfLog } from "../runs/team-of-log.js";

/** Opened for a moment: what is at work is asked for again later. @throws ApiError 404, 409 */
export async function sessionTurns(id: string, options: ServerOptions, onWarning: (message: string) => void): Promise<SessionTurns> {
  const where = { cwd: options.cwd, env: { ...options.env, HOME: options.home }, onWarning };
  const session = await findSession(id, where).catch((error: unknown) => {
    if (MassgenError.is(error, "STORE_CONFLICT"))
      throw new ApiError(409, "A question of this conversation is at work.", { param: "id", code: "in_use" });
    if (MassgenError.is(error, "USAGE")) return null;
    throw error;
  });
  if (session === null) throw unknownSession();
  try {
    const { logRoot, configPath } = session;
    const found = session.turns();
    const turns = found.map(({ turn, task, answer, status, winner, timestamp }) => ({
      turn,
      runId: logRoot === null ? null : `${basename(logRoot)}.${turn}`,
      question: task,
      answer,
      isComplete: status === "complete",
      winner,
      at: timestamp,
    }));
    const last = found.at(-1)?.turn;
    const start = logRoot === null || last === undefined ? null : await startOfLog(join(logRoot, `turn_${last}`), options);
    return { id, turns, model: start?.model ?? nameOfFile(configPath, options) };
  } finally {
    await session.close();
  }
}

/** Of a conversation over all servers of the database. @throws ApiError 404 */
export async function queuedTurns(id: string, queue: RunQueue): Promise<SessionTurns> {
  const runs = await queue.turnsOf(id);
  if (runs.length === 0) throw unknownSession();
  return { id, turns: await Promise.all(runs.map((run, index) => queuedTurn(run, index + 1, queue))), model: lastModel(runs) };
}

async function queuedTurn(run: QueuedRun, turn: number, queue: RunQueue): Promise<SessionTurns["turns"][number]> {
  const end = turnEndOf(await readQueuedView(run, queue.store));
  return {
    turn,
    runId: run.id,
    question: queuedRequest.safeParse(run.request).data?.question ?? "",
    answer: end.status === "complete" ? end.answer : (bestPartial(end)?.answer ?? null),
    isComplete: end.status === "complete",
    winner: end.winner,
    at: new Date(run.createdAtMs).toISOString(),
  };
}

/** Whom a question goes to that names nobody: who answered last in its conversation. `null`: the default. */
export async function teamOfSession(id: string, { queue, options }: ServerContext): Promise<string | null> {
  if (queue !== null) return lastModel(await queue.turnsOf(id));
  // What cannot be read, or is at work, refuses the question itself in its own words.
  return sessionTurns(id, options, () => {}).then(
    ({ model }) => model,
    () => null,
  );
}

function lastModel(runs: readonly QueuedRun[]): string | null {
  const request = queuedRequest.safeParse(runs.at(-1)?.request).data;
  return request === undefined ? null : startableName(request.model);
}

const unknownSession = (): ApiError => new ApiError(404, "There is no such conversation.", { param: "id", code: "session_not_found" });
