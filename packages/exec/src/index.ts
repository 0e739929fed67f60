export type { Captured } from "./process/capture.js";
export { defaultLimits, type ProcessLimits } from "./process/gate.js";
export type { Output, SpillPlace, StreamName } from "./process/output.js";
export {
  type EndedBy,
  type ProcessOptions,
  type ProcessResult,
  type RunningProcess,
  runProcess,
  startProcess,
} from "./process/start-process.js";
export { killEverythingNow } from "./process/watchdog.js";
