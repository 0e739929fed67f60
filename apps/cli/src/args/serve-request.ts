import { MassgenError } from "@massgen/contracts";
import type { Given } from "./program.js";

/** A server, as flags ask for it; `null` leaves a value to the environment, then to the default. */
export interface ServeRequest {
  readonly kind: "serve";
  readonly host: string | null;
  readonly port: number | null;
  readonly config: string | null;
  readonly defaultModel: string | null;
  readonly apiKeys: readonly string[];
  readonly keysFile: string | null;
  /** Name of a key to make and add to the file; no server is started then. */
  readonly newKey: string | null;
  readonly insecure: boolean;
  readonly maxConcurrent: number | null;
  readonly requestsPerMinute: number | null;
  readonly corsOrigins: readonly string[];
  readonly allowAnyPath: boolean;
  readonly databaseUrl: string | null;
  readonly maxWaiting: number | null;
  readonly logs: boolean;
  readonly debug: boolean;
  /** With the page. */
  readonly web: boolean;
}

/** `massgen mcp serve`: a team as tools of another agent. `http`: `null` over standard input and output. */
export interface McpServeRequest {
  readonly kind: "mcp-serve";
  readonly config: string | null;
  readonly defaultModel: string | null;
  readonly maxConcurrent: number | null;
  readonly http: ServeRequest | null;
}

export function mcpServeRequest(given: Given): McpServeRequest {
  const serve = serveRequest(given);
  const { config, defaultModel, maxConcurrent } = serve;
  return { kind: "mcp-serve", config, defaultModel, maxConcurrent, http: given.has("--http") ? serve : null };
}

/** @throws MassgenError `USAGE` for a key without a file to put it in */
export function serveRequest(given: Given): ServeRequest {
  const texts = (name: `--${string}`): readonly string[] => (given.get(name) ?? []).filter((value) => typeof value === "string");
  const text = (name: `--${string}`): string | null => texts(name).at(-1) ?? null;
  const number = (name: `--${string}`): number | null => {
    const value = given.get(name)?.at(-1);
    return typeof value === "number" ? value : null;
  };
  const newKey = text("--new-key");
  if (newKey !== null && text("--keys-file") === null)
    throw new MassgenError("USAGE", "--new-key needs --keys-file: the hash of the key is kept there.", { exitCode: 2 });
  if (newKey !== null && !/^[\w.@-]{1,64}$/.test(newKey))
    throw new MassgenError("USAGE", "The name of a key is 1 to 64 letters, digits or _ . @ -", { exitCode: 2 });
  return {
    kind: "serve",
    newKey,
    host: text("--host"),
    port: number("--port"),
    config: text("--config"),
    defaultModel: text("--default-model"),
    apiKeys: texts("--api-key"),
    keysFile: text("--keys-file"),
    insecure: given.has("--insecure"),
    maxConcurrent: number("--max-concurrent"),
    requestsPerMinute: number("--requests-per-minute"),
    corsOrigins: texts("--cors-origin"),
    allowAnyPath: given.has("--allow-any-path"),
    databaseUrl: text("--database-url"),
    maxWaiting: number("--max-waiting"),
    logs: !given.has("--no-logs"),
    debug: given.has("--debug"),
    web: given.has("--web"),
  };
}
