export { type AgentFailure, type AgentView, roundsOf } from "./agent-view.js";
export { type AnalysisPromptOptions, analysisPrompt } from "./analysis-prompt.js";
export { type Ballot, type BallotFate, whyNotCounted } from "./ballots.js";
export { type BudgetReport, budgetReport } from "./budget-report.js";
export { type ActivityView, type CallView, type ToolStats, type ToolView, toolStatsOf } from "./calls.js";
export { type Alignment, type CellWidth, codePointWidth, fitCells, padCells } from "./cells.js";
export { type CodeRole, type CodeSpan, codeSpans, languageOfPath } from "./code/code-spans.js";
export { type CoordinationTableOptions, coordinationTable } from "./coordination-table.js";
export { type CostReport, costReport, SPENDING_PHASES, type SpendingPhase, type SpentInRound, type SpentReport } from "./cost-report.js";
export { type CostTextOptions, costLine, costText } from "./cost-text.js";
export { type Candidate, type DecisionReport, decisionReport, type LimitReport, type MatrixRow } from "./decision-report.js";
export { type DecisionTextOptions, decisionText } from "./decision-text.js";
export type { DecisionView } from "./decision-view.js";
export { formatAmount, limitTexts } from "./describe-budget.js";
export { describeRecord } from "./describe-record.js";
export { type JoinedLines, joinLines, type PendingLines } from "./dialogue/join-lines.js";
export { type Input, readInput } from "./dialogue/read-input.js";
export { type SlashCommand, slashCommands } from "./dialogue/slash-commands.js";
export type { FactOf } from "./fact-of.js";
export { formatCost, formatCount, formatDuration } from "./format.js";
export { type GrowList, itemsOf } from "./grow-list.js";
export type { LimitHit } from "./limits.js";
export { type AgentActivity, agentActivity } from "./live/agent-activity.js";
export { type BudgetShare, budgetShares } from "./live/budget-shares.js";
export { foldLive } from "./live/fold-live.js";
export { emptyLiveView, type LiveView, type Moment, type OpenRequest, type Piece, type Stream, type ToolResult } from "./live/live-view.js";
export { type Column, markdownTable } from "./markdown-table.js";
export {
  type ApiCallReport,
  type MetricsContext,
  type MetricsEvents,
  metricsEvents,
  type RoundReport,
  roundReport,
  type ToolExecutionReport,
} from "./metrics-events.js";
export { type BaselineReport, type MetricsSummary, metricsSummary, type TimingReport } from "./metrics-summary.js";
export { type ExitCode, exitCodeOf, type FinishReason, finishReasonOf } from "./outcome.js";
export { plainTable } from "./plain-table.js";
export { excerpt, oneLine, preview } from "./preview.js";
export type { RoundSummary, TokenReport, ToolReport, ToolSummary, ToolType } from "./report-parts.js";
export { type ResultAnswer, type ResultReport, resultReport } from "./result-report.js";
export type { RoundOutcome, RoundView } from "./rounds.js";
export { isWeighted, ruleText, weightText } from "./rule-text.js";
export { type AgentSummary, type ErrorSummary, type RunSummary, runSummary, type SummaryTextOptions, summaryText } from "./run-summary.js";
export { type AnswerView, acceptedAttempt, emptyRunView, foldRecord, isAction, nameOf, type RunView } from "./run-view.js";
export {
  type AgentEquipment,
  type AgentStatusReport,
  type McpServersReport,
  type ReliabilityReport,
  type StatusContext,
  type StatusReport,
  statusReport,
} from "./status-report.js";
export { escapedLine, visibleJson, visibleLine, visibleText } from "./visible-text.js";
export { type CountedVote, countedBallots, type VoteReport, voteReport } from "./vote-report.js";
export { type WhatIf, whatIfs, whatIfTexts } from "./what-if.js";
