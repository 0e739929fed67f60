import type { AgentId, EpochMillis } from "@massgen/contracts";
import { roundsOf } from "./agent-view.js";
import type { CallView, ToolView } from "./calls.js";
import { itemsOf } from "./grow-list.js";
import { mean, type TokenReport, type ToolType, tokenReport, toolTypeOf, toSeconds } from "./report-parts.js";
import type { RoundOutcome, RoundView } from "./rounds.js";
import type { RunView } from "./run-view.js";

export interface MetricsContext {
  readonly now: EpochMillis;
  readonly sessionId: string;
}

export interface ToolExecutionReport {
  readonly tool_name: string;
  readonly tool_type: ToolType;
  readonly call_id: string;
  readonly agent_id: AgentId;
  readonly round_number: number;
  readonly start_time: number;
  readonly end_time: number;
  readonly execution_time_ms: number;
  readonly success: boolean;
  readonly error_message: string | null;
  readonly input_chars: number;
  readonly output_chars: number;
  readonly input_tokens_est: number;
  readonly output_tokens_est: number;
}

export interface RoundReport extends TokenReport {
  readonly agent_id: AgentId;
  readonly round_number: number;
  readonly round_type:
    | "initial_answer"
    | "evaluation"
    | "vote_only"
    | "debate"
    | "stagnation"
    | "stage"
    | "presentation"
    | "post_evaluation";
  readonly outcome: RoundOutcome | null;
  readonly context_window_size: null;
  readonly context_usage_pct: null;
  readonly tool_calls_count: number;
  readonly token_source: "api" | "estimated" | null;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly duration_ms: number | null;
  readonly api_calls_count: number;
  readonly api_time_ms: number;
  readonly avg_ttft_ms: number | null;
}

export interface ApiCallReport {
  readonly agent_id: AgentId;
  readonly round_number: number;
  /** Counts the requests of one agent's round from 0. */
  readonly call_index: number;
  readonly backend_name: string;
  readonly model: string;
  readonly start_time: number;
  readonly end_time: number;
  readonly duration_ms: number;
  readonly time_to_first_token_ms: number | null;
  readonly success: boolean;
  readonly error_message: string | null;
  readonly retries: number;
}

export interface MetricsEvents {
  readonly meta: { readonly generated_at: number; readonly session_id: string; readonly question: string };
  readonly tool_executions: readonly ToolExecutionReport[];
  readonly round_completions: readonly RoundReport[];
  readonly api_calls: readonly ApiCallReport[];
}

/** `metrics_events.json`: every tool call, round and request with its times and tokens (docs/spec/logs.md 4.10). */
export const metricsEvents = (view: RunView, { now, sessionId }: MetricsContext): MetricsEvents => ({
  meta: { generated_at: toSeconds(now), session_id: sessionId, question: view.state.question },
  tool_executions: itemsOf(view.activity.tools).map(toolExecution),
  round_completions: [...view.agents.values()].flatMap((agent) => roundsOf(agent).map(roundReport)),
  api_calls: apiCalls(view),
});

const toolExecution = (tool: ToolView): ToolExecutionReport => ({
  tool_name: tool.name,
  tool_type: toolTypeOf(tool.name),
  call_id: tool.callId,
  agent_id: tool.agent,
  round_number: tool.round,
  start_time: toSeconds(tool.startedAt),
  end_time: toSeconds(tool.endedAt),
  execution_time_ms: tool.durationMs,
  success: tool.ok,
  error_message: tool.ok ? null : tool.resultPreview,
  input_chars: tool.inputChars,
  output_chars: tool.outputChars,
  input_tokens_est: Math.round(tool.inputChars / 4),
  output_tokens_est: Math.round(tool.outputChars / 4),
});

/** The record of one round; a running one has no end and no outcome. */
export const roundReport = (round: RoundView): RoundReport => ({
  agent_id: round.agent,
  round_number: round.round,
  round_type: round.kind === "initial" ? "initial_answer" : round.kind,
  outcome: round.outcome,
  ...tokenReport(round.usage),
  context_window_size: null,
  context_usage_pct: null,
  tool_calls_count: round.toolCalls,
  token_source: round.usage === null ? null : round.usage.estimated === true ? "estimated" : "api",
  start_time: toSeconds(round.startedAt),
  end_time: round.endedAt === null ? null : toSeconds(round.endedAt),
  duration_ms: round.endedAt === null ? null : round.endedAt - round.startedAt,
  api_calls_count: round.calls,
  api_time_ms: round.callMs,
  avg_ttft_ms: mean(round.ttftMs, round.ttftCalls),
});

function apiCalls(view: RunView): readonly ApiCallReport[] {
  const counts = new Map<string, number>();
  return itemsOf(view.activity.calls).map((call) => {
    const key = `${call.round}:${call.agent}`;
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    return apiCall(view, call, index);
  });
}

function apiCall(view: RunView, call: CallView, index: number): ApiCallReport {
  const card = view.agents.get(call.agent)?.card;
  return {
    agent_id: call.agent,
    round_number: call.round,
    call_index: index,
    backend_name: card?.backend ?? "",
    model: card?.model ?? "",
    start_time: toSeconds(call.startedAt),
    end_time: toSeconds(call.endedAt),
    duration_ms: call.durationMs,
    time_to_first_token_ms: call.ttftMs,
    success: call.ok,
    error_message: call.ok ? null : call.message,
    retries: call.retries,
  };
}
