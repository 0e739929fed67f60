import type { DBOSClient } from "@dbos-inc/dbos-sdk";
import type { Database } from "../database.js";
import { APPLICATION, QUEUE } from "./dbos.js";

/** Which workers are there. Whose sign of life is too old is taken for dead, and what it had goes back into the queue. */
export interface Attendance {
  enter(): Promise<void>;
  /** `false`: the others have taken this worker for dead, and its runs may be with them already. */
  sign(active: number): Promise<boolean>;
  /** Puts back what dead workers had; the ids. One worker at a time does this. */
  clearAway(): Promise<readonly string[]>;
  leave(): Promise<void>;
}

/** Any number, the same for all of ours. */
const LOCK = 7_362_817_266;

export function attendance({ pool, schema }: Database, dbos: DBOSClient, worker: string, deadAfterMs: number): Attendance {
  return {
    async enter() {
      await pool.query(`INSERT INTO ${schema}.workers (id) VALUES ($1)`, [worker]);
    },
    async sign(active) {
      const { rowCount } = await pool.query(`UPDATE ${schema}.workers SET seen_at = now(), active = $2 WHERE id = $1`, [worker, active]);
      return rowCount === 1;
    },
    async clearAway() {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        const { rows } = await client.query<{ readonly mine: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS mine", [LOCK]);
        if (rows[0]?.mine !== true) return [];
        // Committed before anything is put back: a worker that only seemed dead must see that it is.
        await pool.query(`DELETE FROM ${schema}.workers WHERE seen_at < now() - $1 * interval '1 millisecond'`, [deadAfterMs]);
        const under = await dbos.listWorkflows({
          status: "PENDING",
          queueName: QUEUE,
          applicationName: APPLICATION,
          loadInput: false,
          loadOutput: false,
        });
        // Asked after the list: whoever took a run since then has signed in before.
        const alive = new Set((await pool.query<{ readonly id: string }>(`SELECT id FROM ${schema}.workers`)).rows.map(({ id }) => id));
        const left = under
          .filter(({ executorId }) => executorId === undefined || !alive.has(executorId))
          .map(({ workflowID }) => workflowID);
        if (left.length > 0) await dbos.resumeWorkflows(left, { queueName: QUEUE });
        return left;
      } finally {
        await client.query("ROLLBACK").catch(() => {});
        client.release();
      }
    },
    async leave() {
      await pool.query(`DELETE FROM ${schema}.workers WHERE id = $1`, [worker]);
    },
  };
}
