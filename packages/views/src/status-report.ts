import type { AgentCard, AgentId, EpochMillis, Phase, RunId, RunStatus, StopStatus } from "@massgen/contracts";
import { type AgentState, agentOf, liveAgents, type RunState, type Standing, tallyVotes } from "@massgen/kernel";
import type { AgentView } from "./agent-view.js";
import { type BudgetReport, budgetReport } from "./budget-report.js";
import { itemsOf } from "./grow-list.js";
import { type FinishReason, finishReasonOf } from "./outcome.js";
import { preview } from "./preview.js";
import {
  type RoundSummary,
  roundCost,
  roundSummary,
  type TokenReport,
  type ToolSummary,
  tokenReport,
  toolSummary,
  toSeconds,
} from "./report-parts.js";
import { acceptedAttempt, allRounds, type RunView } from "./run-view.js";

/** What a status needs to know besides the facts. */
export interface StatusContext {
  readonly now: EpochMillis;
  readonly startedAt: EpochMillis;
  readonly sessionId: string;
  readonly logDir: string;
  readonly pid: number;
  readonly simulated: boolean;
  readonly runId: RunId;
  readonly question: string;
  /** Shown as waiting until the run's first fact names them. */
  readonly agents: readonly AgentCard[];
  /** Folder of each agent below the log folder. */
  readonly dirs: ReadonlyMap<AgentId, string>;
  readonly turn: number;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** What keeps an agent from starting, as far as anything does. */
  readonly waitReasons: ReadonlyMap<AgentId, string>;
  /** The MCP servers of each agent that has some. */
  readonly mcpServers: ReadonlyMap<AgentId, McpServersReport>;
  /** When an agent last streamed something, which leaves no fact. */
  readonly streamedAt: ReadonlyMap<AgentId, EpochMillis>;
  /** Set for a run that ended without saying so itself. */
  readonly outcome: { readonly status: RunStatus; readonly message: string | null } | null;
  /** All files of the run are on disk. */
  readonly isComplete: boolean;
  /** What agents work with on this machine. Default: nothing. */
  readonly equipment?: ReadonlyMap<AgentId, AgentEquipment>;
}

/** What an agent works with on its machine; fixed for the run. */
export interface AgentEquipment {
  /** What confines its commands, as `bwrap`, `docker`, `none`; `null` when it runs none. */
  readonly sandbox: string | null;
  /** Absolute; `null` for an agent without files. */
  readonly workspacePaths: {
    readonly workspace: string;
    readonly snapshot_storage: string;
    /** What it sees of the others' files. */
    readonly temp_workspace: string;
  } | null;
}

/** By name; `error` is the cause in one line. */
export type McpServersReport = Readonly<
  Record<string, { readonly state: "starting" | "ready" | "failed" | "closed"; readonly tools: number; readonly error: string | null }>
>;

export interface AgentStatusReport {
  readonly status: Standing;
  readonly anon_id: string;
  readonly dir: string;
  readonly backend: string;
  readonly model: string;
  readonly answer_count: number;
  readonly latest_answer_label: string | null;
  readonly vote_cast: { readonly voted_for_agent: string; readonly voted_for_label: string; readonly reason_preview: string } | null;
  /** Decomposition: its part of the whole, and how it stopped. */
  readonly subtask: string | null;
  readonly stopped: { readonly status: StopStatus; readonly summary_preview: string } | null;
  readonly times_restarted: number;
  readonly round: number;
  readonly last_activity: number;
  readonly error: { readonly type: string; readonly message: string; readonly timestamp: number } | null;
  readonly wait_reason: string | null;
  readonly abstained: boolean;
  readonly token_usage: TokenReport | null;
  readonly workspace_paths: AgentEquipment["workspacePaths"];
  readonly mcp_servers: McpServersReport | null;
  readonly sandbox: string | null;
  readonly reliability: ReliabilityReport | null;
}

export interface ReliabilityReport {
  readonly total_enforcement_retries: number;
  readonly by_round: Readonly<Record<string, number>>;
  readonly unknown_tools: number;
  readonly workflow_errors: number;
  readonly outcome: "recovered" | "abstained" | "failed" | "in_progress";
}

/** `status.json`, key by key (docs/spec/logs.md 4.8). */
export interface StatusReport {
  readonly finish_reason: FinishReason;
  readonly finish_reason_details: string | null;
  readonly is_complete: boolean;
  readonly meta: {
    readonly last_updated: number;
    readonly session_id: string;
    readonly log_dir: string;
    readonly question: string;
    readonly start_time: number;
    readonly elapsed_seconds: number;
    readonly run_id: string;
    readonly turn: number;
    readonly attempt: number;
    readonly max_attempts: number;
    readonly pid: number;
    readonly schema_version: 1;
    readonly simulated: boolean;
  };
  readonly coordination: {
    readonly phase: "initial_answer" | "enforcement" | "presentation";
    readonly stage: "preparing" | "initial_answer" | "evaluation" | "presentation" | "post_evaluation" | "finished";
    readonly active_agent: string | null;
    readonly active_agents: readonly string[];
    readonly completion_percentage: number;
    readonly is_final_presentation: boolean;
    readonly epoch: number;
    readonly consensus_share: number | null;
  };
  readonly agents: Readonly<Record<string, AgentStatusReport>>;
  readonly results: {
    readonly votes: Readonly<Record<string, number>>;
    readonly winner: string | null;
    readonly winner_label: string | null;
    readonly consensus: string | null;
    readonly final_answer_preview: string | null;
  };
  readonly costs: {
    readonly total_estimated_cost: number | null;
    readonly total_input_tokens: number;
    readonly total_output_tokens: number;
    readonly budget: BudgetReport | null;
  };
  readonly tools: ToolSummary;
  readonly rounds: RoundSummary;
}

/** The whole state of a run for somebody who polls a file. Pure: the clock and the paths come with `context`. */
export function statusReport(view: RunView, context: StatusContext): StatusReport {
  const status = view.finished?.status ?? context.outcome?.status ?? null;
  const startedAt = view.startedAt ?? context.startedAt;
  return {
    finish_reason: status === null ? "in_progress" : finishReasonOf(status),
    finish_reason_details: view.finished?.message ?? context.outcome?.message ?? null,
    is_complete: context.isComplete,
    meta: {
      last_updated: toSeconds(context.now),
      session_id: context.sessionId,
      log_dir: context.logDir,
      question: context.question,
      start_time: toSeconds(startedAt),
      elapsed_seconds: toSeconds(Math.max(0, context.now - startedAt)),
      run_id: context.runId,
      turn: context.turn,
      attempt: context.attempt,
      max_attempts: context.maxAttempts,
      pid: context.pid,
      schema_version: 1,
      simulated: context.simulated,
    },
    coordination: coordinationReport(view, context, status !== null),
    agents: Object.fromEntries(cardsOf(view, context).map((card) => [card.id, agentReport(view, context, card)])),
    results: resultsReport(view),
    costs: costReport(view.state),
    tools: toolSummary(itemsOf(view.activity.tools)),
    rounds: roundSummary(allRounds(view)),
  };
}

const cardsOf = (view: RunView, context: StatusContext): readonly AgentCard[] =>
  view.agents.size === 0 ? context.agents : [...view.agents.values()].map((agent) => agent.card);

const STAGE: Readonly<Record<Exclude<Phase, "coordinating">, StatusReport["coordination"]["stage"]>> = {
  idle: "preparing",
  preparing: "preparing",
  presenting: "presentation",
  evaluating: "post_evaluation",
  finished: "finished",
};

function coordinationReport(view: RunView, context: StatusContext, isOver: boolean): StatusReport["coordination"] {
  const { state } = view;
  const phase = state.decision !== null ? "presentation" : isEvaluating(state) ? "enforcement" : "initial_answer";
  const active = isOver ? [] : state.order.filter((id) => agentOf(state, id)?.standing === "streaming");
  const lastActive = (id: AgentId): number => Math.max(view.agents.get(id)?.lastActivityAt ?? 0, context.streamedAt.get(id) ?? 0);
  const newest = active.reduce<AgentId | null>((best, id) => (best === null || lastActive(id) > lastActive(best) ? id : best), null);
  return {
    phase,
    stage: isOver
      ? "finished"
      : state.phase !== "coordinating"
        ? STAGE[state.phase]
        : phase === "initial_answer"
          ? "initial_answer"
          : "evaluation",
    active_agent: newest,
    active_agents: active,
    completion_percentage: context.isComplete ? 100 : Math.min(99, view.completion),
    is_final_presentation: state.phase === "presenting",
    epoch: state.answers.length,
    consensus_share: consensusShare(view),
  };
}

/** First answers are over once every live agent has one, or somebody has already voted. */
function isEvaluating(state: RunState): boolean {
  const live = liveAgents(state);
  return state.votes.length > 0 || (live.length > 0 && live.every((agent) => agent.answers > 0));
}

/** Weight of the leading answer over the weight of all live agents; `null` without votes. */
function consensusShare(view: RunView): number | null {
  const top = view.decision === null ? tallyVotes(view.state)[0] : view.decision.fact.tally[0];
  const live = view.decision === null ? liveAgents(view.state).length : view.decision.live.length;
  return top === undefined || live === 0 ? null : Math.round((top.weight / live) * 10_000) / 10_000;
}

function agentReport(view: RunView, context: StatusContext, card: AgentCard): AgentStatusReport {
  const history = view.agents.get(card.id);
  const state = agentOf(view.state, card.id);
  const answers = state?.answers ?? 0;
  return {
    status: state?.standing ?? "waiting",
    anon_id: card.anon,
    dir: context.dirs.get(card.id) ?? card.id,
    backend: card.backend,
    model: card.model,
    answer_count: answers,
    latest_answer_label: answers === 0 ? null : `${card.anon}.${answers}`,
    vote_cast: voteReportOf(state),
    subtask: state?.subtask ?? null,
    stopped: state?.stop == null ? null : { status: state.stop.status, summary_preview: preview(state.stop.summary, 100) },
    times_restarted: state?.restarts ?? 0,
    round: Math.max(0, state?.round ?? 0),
    last_activity: toSeconds(Math.max(history?.lastActivityAt ?? context.startedAt, context.streamedAt.get(card.id) ?? 0)),
    error: errorReport(history),
    wait_reason:
      state?.standing === "streaming"
        ? null
        : (context.waitReasons.get(card.id) ?? (state?.pausedForFairness === true ? "fairness" : null)),
    abstained: state?.standing === "abstained",
    token_usage: history?.usage == null ? null : tokenReport(history.usage),
    workspace_paths: context.equipment?.get(card.id)?.workspacePaths ?? null,
    mcp_servers: context.mcpServers.get(card.id) ?? null,
    sandbox: context.equipment?.get(card.id)?.sandbox ?? null,
    reliability: reliabilityReport(history, state),
  };
}

const voteReportOf = (state: AgentState | undefined): AgentStatusReport["vote_cast"] =>
  state?.vote == null
    ? null
    : { voted_for_agent: state.vote.target, voted_for_label: state.vote.targetLabel, reason_preview: preview(state.vote.reason, 100) };

/** The last failure, unless the agent has got over it. */
function errorReport(history: AgentView | undefined): AgentStatusReport["error"] {
  const last = history?.failures.at(-1);
  const outcome = history?.newestRound?.outcome ?? null;
  if (last === undefined || (!last.fatal && outcome !== null && outcome !== "error")) return null;
  return { type: last.type, message: last.message, timestamp: toSeconds(last.at) };
}

function reliabilityReport(history: AgentView | undefined, state: AgentState | undefined): ReliabilityReport | null {
  const by_round = history?.retriesByRound ?? {};
  const total = Object.values(by_round).reduce((sum, count) => sum + count, 0);
  if (history === undefined || state === undefined || total === 0) return null;
  const outcome = history.newestRound?.outcome ?? null;
  return {
    total_enforcement_retries: total,
    by_round,
    unknown_tools: history.unknownTools,
    workflow_errors: history.workflowErrors,
    outcome:
      outcome === null
        ? "in_progress"
        : outcome === "abstained"
          ? "abstained"
          : outcome === "error" || outcome === "timeout"
            ? "failed"
            : "recovered",
  };
}

function resultsReport(view: RunView): StatusReport["results"] {
  const { state, decision, presentationFinished } = acceptedAttempt(view);
  return {
    votes: Object.fromEntries(tallyVotes(state).map(({ label, weight }) => [label, weight])),
    winner: decision?.fact.winner ?? null,
    winner_label: decision?.fact.label ?? null,
    consensus: decision?.fact.consensus ?? null,
    final_answer_preview: presentationFinished === null ? null : preview(presentationFinished.content, 200),
  };
}

const costReport = ({ spent, spending }: RunState): StatusReport["costs"] => ({
  total_estimated_cost: roundCost(spent.costUsd),
  total_input_tokens: spent.inputTokens,
  total_output_tokens: spent.outputTokens,
  budget: budgetReport(spending),
});
