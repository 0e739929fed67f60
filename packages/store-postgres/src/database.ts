import { MassgenError } from "@massgen/contracts";
import pg from "pg";

export interface DatabaseOptions {
  /** `postgres://user:password@host:5432/database`; what it leaves out comes from `PGHOST` and its like. */
  readonly url: string;
  /** Schema of the tables; several installations can share a database under different names. Default `massgen`. */
  readonly schema?: string;
  /** Most connections at a time, besides the one that listens. Default 10. */
  readonly maxConnections?: number;
}

export interface Database {
  readonly pool: pg.Pool;
  readonly schema: string;
  /** A connection outside of the pool, not connected yet. */
  readonly newClient: () => pg.Client;
}

/** How long a connection may take before the database counts as out of reach. */
const CONNECT_TIMEOUT_MS = 10_000;

/** @throws MassgenError `CONFIG_INVALID` for a schema that is no plain name; connects only when it is used */
export function openDatabase({ url, schema = "massgen", maxConnections = 10 }: DatabaseOptions): Database {
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new MassgenError("CONFIG_INVALID", `${JSON.stringify(schema)} cannot be the name of a schema: use a-z, 0-9 and _.`, {
      exitCode: 1,
    });
  const connection = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: "massgen", keepAlive: true };
  const pool = new pg.Pool({ ...connection, max: maxConnections });
  // A connection that breaks while nobody uses it: the pool has dropped it, and the next query takes another.
  pool.on("error", () => {});
  return { pool, schema, newClient: () => new pg.Client(connection) };
}

/** What went wrong with the database, without its address: that may hold a password. */
export function storeFailed(what: string, cause: unknown): MassgenError {
  const why = cause instanceof Error && cause.message !== "" ? cause.message : codeOf(cause);
  return new MassgenError("STORE_FAILED", `PostgreSQL: ${what}: ${why}.`, {
    cause,
    hint: "Look whether the server runs and takes connections, and whether the user may write to its schema.",
  });
}

/** The `SQLSTATE`, or that of the system, as `ECONNREFUSED`. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
