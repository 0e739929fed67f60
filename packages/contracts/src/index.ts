export type { Ambient, Clock, IdGenerator, Random } from "./ambient.js";
export type {
  BackendAdapter,
  BackendCapabilities,
  BackendEvent,
  BackendFailure,
  FailureKind,
  StopReason,
  ToolChoice,
  TurnRequest,
  Usage,
} from "./backend.js";
export type { BackendModule, BackendOptions } from "./backend-module.js";
export { type ErrorCode, type ErrorExitCode, MassgenError, type MassgenErrorOptions } from "./errors.js";
export type { AttemptFact } from "./facts/attempts.js";
export type { BudgetConsequence, BudgetFact, BudgetLimits, BudgetScope, BudgetUnit } from "./facts/budget.js";
export type { InputFact } from "./facts/input.js";
export type { ModeFact, PresentationStrategy, RunMode, StopStatus } from "./facts/modes.js";
export type { PlanningFact } from "./facts/planning.js";
export type { HumanRequest, RequestFact } from "./facts/requests.js";
export type { Verification } from "./facts/verification.js";
export type { VotingFact } from "./facts/voting.js";
export type {
  ActivityFact,
  AgentCard,
  Channel,
  ClientToolCall,
  Consensus,
  CoordinationEvent,
  Delta,
  GateName,
  Phase,
  PresentationFallback,
  Recorded,
  RejectionCode,
  RoundKind,
  RunEvent,
  RunStatus,
  Selection,
  SnapshotRef,
  Stamp,
  Tally,
  TieBreak,
  TieBreakStep,
  WorkflowTool,
} from "./facts.js";
export type { FileChange, TextDiff } from "./file-change.js";
export type { Hook, HookPoint, HookResult } from "./hook.js";
export type { Approval, HumanBroker } from "./human.js";
export type { AgentId, AnonId, AnswerLabel, EpochMillis, JsonSchema, JsonValue, MonotonicMillis, RunId } from "./ids.js";
export type { AssistantMessage, MediaPart, Message, Part, TextPart, ToolCallPart, ToolOutput, ToolResult, ToolSpec } from "./message.js";
export type { Durability, EventStore } from "./stores.js";
export type { PathOp, ToolContext, ToolEffect, ToolHandler, ToolOrigin } from "./tool.js";
export type { RoundTranscript } from "./transcript.js";
export type { PermissionPolicy, PolicyVerdict, ResolvedPath, ViewName, Workspace, WorkspaceProvider } from "./workspace.js";
