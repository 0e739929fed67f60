export { MassgenError } from "@massgen/contracts";
export { buildConfig, type PlainAgent, type PlainConfig } from "./build-config.js";
export { type FoundConfig, type LoadConfigOptions, loadConfig } from "./load-config.js";
export { loadEnv } from "./load-env.js";
export type { RunOptions, TeamOptions } from "./options.js";
export { type PreparedRun, prepareRun, type RunningRun, type RunPlan } from "./prepare-run.js";
export { type ResolvedTeam, resolveTeam, type TeamPlaces } from "./resolve-team.js";
export type { AnswerEntry, FinishedRun, RunResult } from "./result.js";
export { failure, type RunStream, run, runStream, writeAnswer } from "./run.js";
