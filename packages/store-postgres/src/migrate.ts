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
    for (const step of stepsFor(schema)) await client.query(step);
    await client.query("COMMIT");
    client.release();
  } catch (error) {
    // Its transaction ends with the connection.
    client.release(true);
    throw storeFailed(`the tables of the schema ${schema} cannot be laid`, error);
  }
}

/** A record is kept as the text of its JSON: `jsonb` refuses U+0000, which models do write. */
const stepsFor = (schema: string): readonly string[] => [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  `CREATE TABLE IF NOT EXISTS ${schema}.events (
    run_id text NOT NULL,
    seq integer NOT NULL CHECK (seq > 0),
    type text NOT NULL,
    record text NOT NULL,
    PRIMARY KEY (run_id, seq)
  )`,
];
