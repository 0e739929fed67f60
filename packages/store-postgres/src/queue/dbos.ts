import { setTimeout as sleep } from "node:timers/promises";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import type pg from "pg";
import { type Database, storeFailed } from "../database.js";

/** Everything DBOS keeps of runs is under these names. */
export const QUEUE = "massgen_runs";
export const WORKFLOW = "massgen_run";
export const APPLICATION = "massgen";
/** Changes when older workers could not play what is in the queue; as long as it does not, old and new ones share it. */
export const APPLICATION_VERSION = "massgen-1";

export const dbosSchema = (schema: string): string => `${schema}_dbos`;

/** Any number, the same for all of ours: two first launches at the same time would fail. */
const LOCK = 7_362_817_265;
const LOCK_RETRY_MS = 200;

/** DBOS tells of itself on the console; only what went wrong is of interest, and that is thrown. */
export const quiet = { info: (): void => {}, debug: (): void => {}, warn: (): void => {}, error: (): void => {} };

/** Lays the tables of DBOS where they are missing. @throws MassgenError `STORE_FAILED` */
export async function migrateDbos({ pool, schema, newClient }: Database, url: string): Promise<void> {
  const client = newClient();
  try {
    await client.connect();
    await lock(client);
    await DBOS.migrate(url, { schemaName: dbosSchema(schema) });
    const own = await clientOf({ pool, schema }, url);
    try {
      await own.setLatestApplicationVersion(APPLICATION_VERSION).catch(() => {});
    } finally {
      await own.destroy();
    }
  } catch (error) {
    throw storeFailed("the tables of the queue cannot be laid", error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Asks again and again: whoever waits inside a query keeps DBOS from building its indexes, which wait for every query. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ readonly mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [LOCK]);
    if (rows[0]?.mine === true) return;
    await sleep(LOCK_RETRY_MS);
  }
}

export const clientOf = ({ pool, schema }: Pick<Database, "pool" | "schema">, url: string): Promise<DBOSClient> =>
  DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: dbosSchema(schema),
    applicationName: APPLICATION,
    logger: quiet,
  });
