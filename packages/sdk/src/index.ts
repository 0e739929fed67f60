export { MassgenError } from "@massgen/contracts";
export {
  type ListedSession,
  type Lock,
  listSessions,
  readRunLog,
  type Session,
  type SessionList,
  type SessionPlaces,
  type SessionTurn,
  takeLock,
} from "@massgen/logs";
export { buildConfig, type PlainAgent, type PlainConfig } from "./build-config.js";
export { checkTeam } from "./check-team.js";
export {
  type AskOptions,
  type Conversation,
  type ConversationPlan,
  type PreparedTurn,
  startConversation,
} from "./conversation/conversation.js";
export { findNewestSession, findSession, type SessionWhere, sessionPlaces } from "./conversation/find-session.js";
export type { Keeping } from "./conversation/keep-turns.js";
export { type ConversationOptions, openConversation } from "./conversation/open-conversation.js";
export { type FinishDeliveryOptions, finishDelivery } from "./delivery/finish-delivery.js";
export { type Delivery, readDelivery } from "./delivery/read-delivery.js";
export type { ChangedFile, ChangeOutcome, ChangesReport, ProposedChanges, ReviewChanges, ReviewDecision } from "./delivery/report.js";
export type { Estimate, Range } from "./dry-run/estimate.js";
export { type AgentForecast, type Forecast, type ForecastAgent, type ForecastSubject, forecastRun } from "./dry-run/forecast.js";
export { forecastSubject, type SeenPrompt, type SubjectOptions } from "./dry-run/forecast-subject.js";
export { type MissingKey, type StandInTeam, standInTeam } from "./dry-run/stand-in-team.js";
export { failure } from "./failure.js";
export { findLog } from "./find-log.js";
export type { AllowUnconfined } from "./hands/allow-unconfined.js";
export type { Elicit } from "./hands/elicit.js";
export type { PreviousTurn } from "./hands/previous-turn.js";
export { nodeFetch } from "./http/node-fetch.js";
export { type FoundConfig, type LoadConfigOptions, loadConfig } from "./load-config.js";
export { loadEnv } from "./load-env.js";
export { type LogRecord, nameRecord } from "./name-record.js";
export type { LogSettings } from "./open-log.js";
export type { RunOptions, TeamOptions } from "./options.js";
export { newRunId, type PreparedRun, prepareRun, type RunningRun, type RunPlan } from "./prepare-run.js";
export { environmentRedactor } from "./redactor-of.js";
export { type Replay, replayRun } from "./replay/replay-run.js";
export { type ResolvedTeam, resolveTeam, type TeamPlaces } from "./resolve-team.js";
export type { AnswerEntry, FinishedRun, RunResult } from "./result.js";
export { type KnownRun, prepareResume, type ResumedRun, type ResumePlan, readKnownRun } from "./resume-run.js";
export { type RunStream, run, runStream, writeAnswer } from "./run.js";
export type { SendOptions } from "./send-input.js";
export { prepareStoredRun, type StoredRunPlan } from "./stored-run.js";
