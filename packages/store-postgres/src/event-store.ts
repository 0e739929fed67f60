import { setTimeout as sleep } from "node:timers/promises";
import { type EventStore, MassgenError, type Recorded, type RunId } from "@massgen/contracts";
import { codeOf, type Database, storeFailed } from "./database.js";
import type { Ears } from "./listen.js";

/** Records of a query: a team's answers may be a megabyte each. */
const PAGE = 200;
/** A reader looks by itself this often, in case a notice was lost with its connection. */
const LOOK_MS = 2_000;
/** Between two looks of one reader: a team at work appends in bursts, and what comes together is read together. */
const GATHER_MS = 20;

const UNIQUE_VIOLATION = "23505";

export const eventsChannel = (schema: string): string => `${schema}_events`;

/** The log of every run in one table. `append` is a compare-and-set on the last number of the run. */
export function eventStore({ pool, schema }: Database, ears: Ears): EventStore {
  const appendSql = `
    WITH added AS (
      INSERT INTO ${schema}.events (run_id, seq, type, record)
      SELECT $1, $2::integer + given.place, given.type, given.record
      FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given(type, record, place),
        set_config('synchronous_commit', CASE WHEN $5 THEN 'off' ELSE current_setting('synchronous_commit') END, true)
      WHERE $2::integer = 0 OR EXISTS (SELECT FROM ${schema}.events WHERE run_id = $1 AND seq = $2::integer)
      RETURNING 1
    )
    SELECT count(*)::integer AS added, pg_notify('${eventsChannel(schema)}', $1) FROM added`;
  const pageSql = `SELECT record FROM ${schema}.events WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`;
  const lastSql = `SELECT type FROM ${schema}.events WHERE run_id = $1 ORDER BY seq DESC LIMIT 1`;

  async function page(runId: RunId, after: number): Promise<readonly Recorded[]> {
    try {
      const { rows } = await pool.query<{ readonly record: string }>(pageSql, [runId, after]);
      return rows.map(({ record }) => JSON.parse(record) as Recorded);
    } catch (error) {
      throw storeFailed(`the log of ${runId} cannot be read`, error);
    }
  }

  async function isFinished(runId: RunId): Promise<boolean> {
    try {
      const { rows } = await pool.query<{ readonly type: string }>(lastSql, [runId]);
      return rows[0]?.type === "run_finished";
    } catch (error) {
      throw storeFailed(`the log of ${runId} cannot be read`, error);
    }
  }

  return {
    async append(runId, after, decision, durability) {
      if (decision.length === 0) return;
      const texts = decision.map((record) => JSON.stringify(record));
      const types = decision.map(({ type }) => type);
      const { added } = await pool
        .query<{ readonly added: number }>(appendSql, [runId, after, types, texts, durability === "buffered"])
        .then(({ rows }) => rows[0] ?? { added: 0 })
        .catch((error: unknown) => {
          if (codeOf(error) === UNIQUE_VIOLATION) return { added: 0 };
          throw storeFailed(`the log of ${runId} cannot be written`, error);
        });
      if (added === decision.length) return;
      throw new MassgenError("STORE_CONFLICT", `Run ${runId} does not end at record ${after}: another writer has added to it.`, {
        hint: "Let only one process run a run.",
      });
    },

    async *read(runId, { after = 0, follow = false, signal } = {}) {
      const isOver = (): boolean => signal?.aborted === true;
      let last = after;
      // A reader that begins behind the end would wait for what never comes.
      let mayBeFinished = true;
      while (!isOver()) {
        const enough = new AbortController();
        // Before reading, so that what is appended meanwhile is heard.
        const more = follow
          ? ears.next(runId, LOOK_MS, signal === undefined ? enough.signal : AbortSignal.any([signal, enough.signal]))
          : null;
        try {
          const records = await page(runId, last);
          for (const record of records) {
            if (isOver()) return;
            last = record.seq;
            yield record;
          }
          if (records.length === PAGE) continue;
          if (!follow || records.at(-1)?.type === "run_finished") return;
          if (mayBeFinished && records.length === 0 && (await isFinished(runId))) return;
          mayBeFinished = false;
          await more;
          if (more !== null) await sleep(GATHER_MS);
        } finally {
          enough.abort();
        }
      }
    },
  };
}
