import type { JsonValue, RunId } from "@massgen/contracts";
import { type Database, storeFailed } from "../database.js";

/** What runs changed in files of the user's, as the worker that plays them says; at most one for each run. */
export interface ReviewsTable {
  put(runId: RunId, review: JsonValue): Promise<void>;
  /** `null` when nothing was said. */
  find(runId: RunId): Promise<JsonValue>;
}

export function reviewsTable({ pool, schema }: Database): ReviewsTable {
  const failed = (error: unknown): never => {
    throw storeFailed("the review of a run cannot be reached", error);
  };
  return {
    async put(runId, review) {
      await pool
        .query(
          `INSERT INTO ${schema}.reviews (run_id, review) VALUES ($1, $2) ON CONFLICT (run_id) DO UPDATE SET review = excluded.review`,
          [runId, JSON.stringify(review)],
        )
        .catch(failed);
    },
    async find(runId) {
      const { rows } = await pool
        .query<{ readonly review: string }>(`SELECT review FROM ${schema}.reviews WHERE run_id = $1`, [runId])
        .catch(failed);
      return rows[0] === undefined ? null : (JSON.parse(rows[0].review) as JsonValue);
    },
  };
}
