export { createServer, type MassgenServer } from "./create-server.js";
export { ApiError, type ErrorBody } from "./errors.js";
export { type HashedKey, hashKey, type KeyRing, keyRing, newKey, readKeyFile } from "./keys.js";
export { type StdioPlace, serveMcpStdio } from "./mcp/serve-stdio.js";
export { MAX_BODY_BYTES, type ServerOptions } from "./options.js";
export type { RunWorkerOptions } from "./worker/options.js";
export { startRunWorker } from "./worker/start-run-worker.js";
