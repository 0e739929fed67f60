export { openReplay, type ReplayServer, type ReplayVendor, type Reply, type SeenRequest } from "./replay-server.js";
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
