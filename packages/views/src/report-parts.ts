import type { EpochMillis, Usage } from "@massgen/contracts";
import { type ToolStats, type ToolView, toolStatsOf } from "./calls.js";
import type { RoundOutcome, RoundView } from "./rounds.js";
import { addSpent, nothingSpent } from "./spent.js";

/** Milliseconds as the seconds that files carry. */
export const toSeconds = (ms: EpochMillis | number): number => Math.round(ms) / 1000;

export interface TokenReport {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly cached_input_tokens: number;
  /** US dollars; `null` when a price is unknown, never 0. */
  readonly estimated_cost: number | null;
}

/** Without any usage the tokens are 0 and the cost is unknown: a request that failed may have cost something. */
export const tokenReport = (usage: Usage | null): TokenReport => ({
  input_tokens: usage?.inputTokens ?? 0,
  output_tokens: usage?.outputTokens ?? 0,
  reasoning_tokens: usage?.reasoningTokens ?? 0,
  cached_input_tokens: usage?.cachedTokens ?? 0,
  estimated_cost: roundCost(usage?.costUsd ?? null),
});

/** Sums of binary fractions, rounded to what prices are quoted in. */
export const roundCost = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 1e9) / 1e9);

export type ToolType = "mcp" | "custom" | "provider" | "workflow";
const WORKFLOW: ReadonlySet<string> = new Set(["new_answer", "vote", "stop", "submit", "restart_orchestration"]);

/** Told from the name as the model sees it: `mcp__<server>__<tool>` is reserved for MCP, the bare workflow names are ours. */
export const toolTypeOf = (name: string): ToolType => (WORKFLOW.has(name) ? "workflow" : name.startsWith("mcp__") ? "mcp" : "custom");

export interface ToolReport {
  readonly call_count: number;
  readonly success_count: number;
  readonly failure_count: number;
  readonly total_execution_time_ms: number;
  readonly avg_execution_time_ms: number;
  readonly total_input_chars: number;
  readonly total_output_chars: number;
  readonly tool_type: ToolType;
}

export interface ToolSummary {
  readonly total_calls: number;
  readonly total_failures: number;
  readonly total_execution_time_ms: number;
  readonly by_tool: Readonly<Record<string, ToolReport>>;
}

export function toolSummary(tools: readonly ToolView[]): ToolSummary {
  const stats = toolStatsOf(tools);
  const all = [...stats.values()];
  return {
    total_calls: sum(all.map((tool) => tool.calls)),
    total_failures: sum(all.map((tool) => tool.failures)),
    total_execution_time_ms: sum(all.map((tool) => tool.durationMs)),
    by_tool: Object.fromEntries([...stats].map(([name, tool]) => [name, toolReport(name, tool)])),
  };
}

const toolReport = (name: string, tool: ToolStats): ToolReport => ({
  call_count: tool.calls,
  success_count: tool.calls - tool.failures,
  failure_count: tool.failures,
  total_execution_time_ms: tool.durationMs,
  avg_execution_time_ms: mean(tool.durationMs, tool.calls) ?? 0,
  total_input_chars: tool.inputChars,
  total_output_chars: tool.outputChars,
  tool_type: toolTypeOf(name),
});

export interface RoundSummary {
  readonly total_rounds: number;
  readonly by_outcome: Readonly<Partial<Record<RoundOutcome, number>>>;
  readonly total_input_tokens: number;
  readonly total_output_tokens: number;
  readonly total_reasoning_tokens: number;
  readonly total_cached_input_tokens: number;
  readonly total_estimated_cost: number | null;
}

/** Running rounds count as rounds; they have no outcome yet. */
export function roundSummary(rounds: readonly RoundView[]): RoundSummary {
  const by_outcome: Partial<Record<RoundOutcome, number>> = {};
  for (const { outcome } of rounds) if (outcome !== null) by_outcome[outcome] = (by_outcome[outcome] ?? 0) + 1;
  const usage = rounds.reduce((total, round) => (round.usage === null ? total : addSpent(total, round.usage)), nothingSpent);
  return {
    total_rounds: rounds.length,
    by_outcome,
    total_input_tokens: usage.inputTokens,
    total_output_tokens: usage.outputTokens,
    total_reasoning_tokens: usage.reasoningTokens,
    total_cached_input_tokens: usage.cachedTokens,
    total_estimated_cost: roundCost(usage.costUsd),
  };
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Rounded to a hundredth; `null` when there is nothing to divide by. */
export const mean = (total: number, count: number): number | null => (count === 0 ? null : Math.round((total / count) * 100) / 100);
