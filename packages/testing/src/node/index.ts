export { isAlive } from "./is-alive.js";
export { postgresMissing, startPostgres, type TestPostgres } from "./postgres.js";
export { openReplay, type ReplayServer, type ReplayVendor, type Reply, type SeenRequest } from "./replay-server.js";
export { openTerminal, type Terminal, type TerminalOptions, terminalMissing, type Waiting } from "./terminal.js";
export {
  answered,
  type Bench,
  type BenchOptions,
  benchOf,
  collect,
  deskTools,
  ended,
  failed,
  KEY,
  question,
  type Turn,
  turnRequest,
} from "./turns.js";
