import { createHash } from "node:crypto";
import type pg from "pg";
import { type Database, storeFailed } from "./database.js";

/** Any number, the same for all of ours: two processes never lay the tables at the same time. */
const LOCK = 7_362_817_263;

/**
 * Lays the tables that are not there yet. Every step may be run again.
 *
 * @throws MassgenError `STORE_FAILED`
 */
export async function migrate({ pool, schema }: Database): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw storeFailed("no connection", error);
  });
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await layTables(client, schema);
    await client.query("COMMIT");
    client.release();
  } catch (error) {
    // Its transaction ends with the connection.
    client.release(true);
    throw storeFailed(`the tables of the schema ${schema} cannot be laid`, error);
  }
}

/**
 * Also a step that finds everything there locks its table, against whoever writes in it: where these steps have been taken
 * before, none is taken.
 */
async function layTables(client: pg.PoolClient, schema: string): Promise<void> {
  const steps = stepsFor(schema);
  const digest = createHash("sha256").update(steps.join("\n")).digest("hex");
  const { rows } = await client.query<{ readonly laid: string | null }>("SELECT to_regclass($1) AS laid", [`${schema}.laid`]);
  if (rows[0]?.laid != null) {
    const known = await client.query(`SELECT FROM ${schema}.laid WHERE digest = $1`, [digest]);
    if (known.rows.length > 0) return;
  }
  for (const step of steps) await client.query(step);
  await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.laid (digest text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`);
  await client.query(`INSERT INTO ${schema}.laid (digest) VALUES ($1)`, [digest]);
}

const stepsFor = (schema: string): readonly string[] => [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  // A record is kept as the text of its JSON: `jsonb` refuses U+0000, which models do write.
  `CREATE TABLE IF NOT EXISTS ${schema}.events (
    run_id text NOT NULL,
    seq integer NOT NULL CHECK (seq > 0),
    type text NOT NULL,
    record text NOT NULL,
    PRIMARY KEY (run_id, seq)
  )`,
  `CREATE TABLE IF NOT EXISTS ${schema}.runs (
    id text PRIMARY KEY,
    key_name text NOT NULL,
    turn integer NOT NULL,
    request text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    ended_at timestamptz,
    worker text,
    takes integer NOT NULL DEFAULT 0,
    result text
  )`,
  `ALTER TABLE ${schema}.runs ADD COLUMN IF NOT EXISTS session_id text`,
  `CREATE INDEX IF NOT EXISTS runs_by_session ON ${schema}.runs (session_id, created_at) WHERE session_id IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS runs_by_age ON ${schema}.runs (created_at DESC, id DESC)`,
  `CREATE INDEX IF NOT EXISTS runs_by_key ON ${schema}.runs (key_name, turn)`,
  `CREATE INDEX IF NOT EXISTS runs_started ON ${schema}.runs (turn) WHERE started_at IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS runs_waiting ON ${schema}.runs (turn) WHERE started_at IS NULL`,
  `CREATE TABLE IF NOT EXISTS ${schema}.messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id text NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL
  )`,
  `CREATE INDEX IF NOT EXISTS messages_by_run ON ${schema}.messages (run_id, id)`,
  `ALTER TABLE ${schema}.messages ADD COLUMN IF NOT EXISTS once text`,
  `CREATE UNIQUE INDEX IF NOT EXISTS messages_once ON ${schema}.messages (run_id, once)`,
  `CREATE TABLE IF NOT EXISTS ${schema}.files (
    run_id text NOT NULL,
    path text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (run_id, path)
  )`,
  `CREATE TABLE IF NOT EXISTS ${schema}.reviews (run_id text PRIMARY KEY, review text NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ${schema}.workers (
    id text PRIMARY KEY,
    seen_at timestamptz NOT NULL DEFAULT now(),
    active integer NOT NULL DEFAULT 0
  )`,
];
