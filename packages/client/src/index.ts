export { ClientError, type ClientOptions, createClient, type MassgenClient } from "./client.js";
export {
  type Artefact,
  type ArtefactList,
  apiError,
  artefact,
  artefactList,
  type RunList,
  type RunState,
  type RunSummary,
  runList,
  runState,
  runSummary,
  type SessionSummary,
  type StartRun,
  type Steered,
  sessionList,
  sessionSummary,
  startRun,
  steered,
  steerRun,
} from "./contract.js";
export type { WatchOptions } from "./watch.js";
