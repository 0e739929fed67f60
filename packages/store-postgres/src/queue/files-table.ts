import type { RunId } from "@massgen/contracts";
import { type Database, storeFailed } from "../database.js";

/** A file that a run left. */
interface StoredFile {
  /** From the folder of the run, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/** What runs left, for whoever asks any server; bounded by whoever puts it there. */
export interface FilesTable {
  put(runId: RunId, path: string, content: Buffer): Promise<void>;
  /** By path, at most `limit`. */
  list(runId: RunId, limit: number): Promise<readonly StoredFile[]>;
  /** `null` when there is none of exactly this path. */
  read(runId: RunId, path: string): Promise<Buffer | null>;
}

export function filesTable({ pool, schema }: Database): FilesTable {
  const failed = (error: unknown): never => {
    throw storeFailed("the files of a run cannot be reached", error);
  };
  return {
    async put(runId, path, content) {
      await pool
        .query(
          `INSERT INTO ${schema}.files (run_id, path, content) VALUES ($1, $2, $3)
           ON CONFLICT (run_id, path) DO UPDATE SET content = excluded.content`,
          [runId, path, content],
        )
        .catch(failed);
    },
    async list(runId, limit) {
      const { rows } = await pool
        .query<StoredFile>(
          `SELECT path, octet_length(content) AS bytes FROM ${schema}.files WHERE run_id = $1 ORDER BY path COLLATE "C" LIMIT $2`,
          [runId, limit],
        )
        .catch(failed);
      return rows;
    },
    async read(runId, path) {
      const { rows } = await pool
        .query<{ readonly content: Buffer }>(`SELECT content FROM ${schema}.files WHERE run_id = $1 AND path = $2`, [runId, path])
        .catch(failed);
      return rows[0]?.content ?? null;
    },
  };
}
