import { type JsonValue, MassgenError, type RunId } from "@massgen/contracts";
import type pg from "pg";
import { type Database, storeFailed } from "../database.js";

/** A run as the queue knows it; what happens in it is in its log. */
export interface QueuedRun {
  readonly id: RunId;
  /** Whose turn it takes: runs of different keys take turns. */
  readonly key: string;
  /** The conversation it is a turn of; `null`: it stands alone. */
  readonly sessionId: string | null;
  /** What whoever plays it needs to know; as it was handed in. */
  readonly request: JsonValue;
  readonly createdAtMs: number;
  /** `null`: no worker has taken it yet. */
  readonly startedAtMs: number | null;
  /** `null`: it is not over. */
  readonly endedAtMs: number | null;
  /** How many workers have had it. */
  readonly takes: number;
  /** What came of it, as whoever played it says; `null` before its end. */
  readonly result: JsonValue;
}

/** What is said to a run at work, or to one that still waits. */
export type RunMessage =
  | { readonly kind: "cancel" | "answer_now"; readonly reason: string }
  /** Said to its agents, answered to a request of theirs, decided about its changes; as it was handed in. */
  | { readonly kind: "input" | "reply" | "review"; readonly body: JsonValue }
  /** Somebody watches for the next minute, and wants the deltas. */
  | { readonly kind: "watch"; readonly body: null };

/** As it is kept; `number` counts up over all runs, and whoever plays a run again gets it again under the same. */
export type HeardMessage = RunMessage & { readonly number: number };

interface Row {
  readonly id: string;
  readonly key_name: string;
  readonly session_id: string | null;
  readonly request: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly takes: number;
  readonly result: string | null;
}

export type NewRun = Pick<QueuedRun, "id" | "key" | "sessionId" | "request">;

interface QueuedSession {
  readonly id: string;
  readonly turns: number;
  readonly startedAtMs: number;
  readonly isAtWork: boolean;
  /** Of its first run. */
  readonly request: JsonValue;
}

export interface RunsTable {
  /** Within the transaction of `client`. Gives its turn; `full` when as many wait as may, `busy` while its session is at work. */
  add(client: pg.ClientBase, run: NewRun, mostWaiting: number): Promise<number | "full" | "busy">;
  find(id: RunId): Promise<QueuedRun | null>;
  /** Newest first. */
  list(limit: number, offset: number): Promise<{ readonly runs: readonly QueuedRun[]; readonly total: number }>;
  /** Runs of a session, oldest first. */
  turnsOf(sessionId: string): Promise<readonly QueuedRun[]>;
  /** Runs of a session that were handed in before this one, oldest first. */
  turnsBefore(run: Pick<QueuedRun, "id" | "sessionId">): Promise<readonly QueuedRun[]>;
  /** Newest first. */
  sessions(limit: number): Promise<{ readonly sessions: readonly QueuedSession[]; readonly total: number }>;
  count(): Promise<{ readonly waiting: number; readonly running: number }>;
  /** The run is this worker's from now on. `null` when it is over or unknown. */
  take(id: RunId, worker: string): Promise<QueuedRun | null>;
  isWith(id: RunId, worker: string): Promise<boolean>;
  end(id: RunId, result: JsonValue): Promise<void>;
  /** Whether it was not over yet, and nothing has been said to it under the name `once` before. */
  say(id: RunId, message: RunMessage, once?: string): Promise<boolean>;
  /** Messages other than those with these numbers, in order. A later number may be seen before an earlier one. */
  heard(id: RunId, known: readonly number[]): Promise<readonly HeardMessage[]>;
}

/** Notices of messages to a run, and of its end. */
export const runsChannel = (schema: string): string => `${schema}_runs`;

/** Any number, the same for all of ours. */
const TURN_LOCK = 7_362_817_264;

export function runsTable({ pool, schema }: Database): RunsTable {
  const query = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<R>> => {
    try {
      return await pool.query<R>(text, [...values]);
    } catch (error) {
      throw storeFailed("the queue cannot be reached", error);
    }
  };

  return {
    async add(client, { id, key, sessionId, request }, mostWaiting) {
      // Turns are drawn one after the other.
      await client.query("SELECT pg_advisory_xact_lock($1)", [TURN_LOCK]);
      if (sessionId !== null) {
        const atWork = await client.query(`SELECT FROM ${schema}.runs WHERE session_id = $1 AND ended_at IS NULL LIMIT 1`, [sessionId]);
        if (atWork.rows.length > 0) return "busy";
      }
      const { rows } = await client.query<{ readonly turn: number }>(
        `INSERT INTO ${schema}.runs (id, key_name, turn, request, session_id)
         SELECT $1, $2, greatest(
           (SELECT coalesce(max(turn), 0) + 1 FROM ${schema}.runs WHERE key_name = $2),
           (SELECT coalesce(max(turn), 0) FROM ${schema}.runs WHERE started_at IS NOT NULL)
         ), $3, $5
         WHERE (SELECT count(*) FROM (SELECT FROM ${schema}.runs WHERE started_at IS NULL LIMIT $4) AS waiting) < $4
         RETURNING turn`,
        [id, key, JSON.stringify(request), mostWaiting, sessionId],
      );
      return rows[0]?.turn ?? "full";
    },
    async find(id) {
      const { rows } = await query<Row>(`SELECT * FROM ${schema}.runs WHERE id = $1`, [id]);
      return rows[0] === undefined ? null : runOf(rows[0]);
    },
    async list(limit, offset) {
      const [{ rows }, counted] = await Promise.all([
        query<Row>(`SELECT * FROM ${schema}.runs ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2`, [limit, offset]),
        query<{ readonly total: number }>(`SELECT count(*)::integer AS total FROM ${schema}.runs`),
      ]);
      return { runs: rows.map(runOf), total: counted.rows[0]?.total ?? 0 };
    },
    async turnsOf(sessionId) {
      const { rows } = await query<Row>(`SELECT * FROM ${schema}.runs WHERE session_id = $1 ORDER BY created_at, id`, [sessionId]);
      return rows.map(runOf);
    },
    async turnsBefore({ id, sessionId }) {
      if (sessionId === null) return [];
      const { rows } = await query<Row>(
        `SELECT * FROM ${schema}.runs WHERE session_id = $1 AND id <> $2
           AND created_at <= (SELECT created_at FROM ${schema}.runs WHERE id = $2) ORDER BY created_at, id`,
        [sessionId, id],
      );
      return rows.map(runOf);
    },
    async sessions(limit) {
      const [{ rows }, counted] = await Promise.all([
        query<SessionRow>(
          `SELECT session_id AS id, count(*)::integer AS turns, min(created_at) AS started_at, bool_or(ended_at IS NULL) AS is_at_work,
                  (array_agg(request ORDER BY created_at, id))[1] AS request
           FROM ${schema}.runs WHERE session_id IS NOT NULL GROUP BY session_id ORDER BY started_at DESC, session_id DESC LIMIT $1`,
          [limit],
        ),
        query<{ readonly total: number }>(`SELECT count(DISTINCT session_id)::integer AS total FROM ${schema}.runs`),
      ]);
      return {
        sessions: rows.map(({ id, turns, started_at, is_at_work: isAtWork, request }) => ({
          id,
          turns,
          startedAtMs: started_at.getTime(),
          isAtWork,
          request: parse(request),
        })),
        total: counted.rows[0]?.total ?? 0,
      };
    },
    async count() {
      const { rows } = await query<{ readonly waiting: number; readonly running: number }>(
        `SELECT count(*) FILTER (WHERE started_at IS NULL)::integer AS waiting,
                count(*) FILTER (WHERE started_at IS NOT NULL)::integer AS running
         FROM ${schema}.runs WHERE ended_at IS NULL`,
      );
      return rows[0] ?? { waiting: 0, running: 0 };
    },
    async take(id, worker) {
      const { rows } = await query<Row>(
        `UPDATE ${schema}.runs SET worker = $2, takes = takes + 1, started_at = coalesce(started_at, now())
         WHERE id = $1 AND ended_at IS NULL RETURNING *`,
        [id, worker],
      );
      return rows[0] === undefined ? null : runOf(rows[0]);
    },
    async isWith(id, worker) {
      const { rows } = await query(
        `SELECT FROM ${schema}.runs JOIN ${schema}.workers ON workers.id = runs.worker WHERE runs.id = $1 AND worker = $2`,
        [id, worker],
      );
      return rows.length > 0;
    },
    async end(id, result) {
      await query(
        `WITH ended AS (
           UPDATE ${schema}.runs SET ended_at = now(), result = $2 WHERE id = $1 AND ended_at IS NULL RETURNING id
         ), gone AS (DELETE FROM ${schema}.messages WHERE run_id = $1)
         SELECT pg_notify('${runsChannel(schema)}', id) FROM ended`,
        [id, JSON.stringify(result)],
      );
    },
    async say(id, message, once) {
      const text = "reason" in message ? message.reason : JSON.stringify(message.body);
      const { rows } = await query(
        `WITH said AS (
           INSERT INTO ${schema}.messages (run_id, kind, reason, once)
           SELECT id, $2, $3, $4 FROM ${schema}.runs WHERE id = $1 AND ended_at IS NULL
           ON CONFLICT (run_id, once) DO NOTHING RETURNING run_id
         ) SELECT pg_notify('${runsChannel(schema)}', run_id) FROM said`,
        [id, message.kind, text, once ?? null],
      );
      return rows.length > 0;
    },
    async heard(id, known) {
      const { rows } = await query<MessageRow>(
        `SELECT id AS number, kind, reason FROM ${schema}.messages WHERE run_id = $1 AND NOT (id = ANY($2::bigint[])) ORDER BY id`,
        [id, known],
      );
      return rows.map(({ number, kind, reason }) => ({ number: Number(number), ...messageOf(kind, reason) }));
    },
  };
}

interface SessionRow {
  readonly id: string;
  readonly turns: number;
  readonly started_at: Date;
  readonly is_at_work: boolean;
  readonly request: string;
}

interface MessageRow {
  readonly number: string;
  readonly kind: RunMessage["kind"];
  readonly reason: string;
}

const messageOf = (kind: RunMessage["kind"], text: string): RunMessage =>
  kind === "cancel" || kind === "answer_now"
    ? { kind, reason: text }
    : kind === "watch"
      ? { kind, body: null }
      : { kind, body: parse(text) };

const runOf = (row: Row): QueuedRun => ({
  id: row.id,
  key: row.key_name,
  sessionId: row.session_id,
  request: parse(row.request),
  createdAtMs: row.created_at.getTime(),
  startedAtMs: row.started_at?.getTime() ?? null,
  endedAtMs: row.ended_at?.getTime() ?? null,
  takes: row.takes,
  result: row.result === null ? null : parse(row.result),
});

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new MassgenError("STORE_FAILED", "PostgreSQL: a row of the queue is damaged.", { cause });
  }
}
