import type { AgentId, AnswerLabel } from "@massgen/contracts";
import { type AgentView, roundsOf } from "./agent-view.js";
import { type BudgetReport, budgetReport } from "./budget-report.js";
import type { CallView } from "./calls.js";
import { type CostReport, cacheHitShare, costReport } from "./cost-report.js";
import { itemsOf } from "./grow-list.js";
import { type MetricsContext, type RoundReport, roundReport } from "./metrics-events.js";
import {
  mean,
  type RoundSummary,
  roundCost,
  roundSummary,
  sum,
  type TokenReport,
  type ToolSummary,
  tokenReport,
  toolSummary,
  toSeconds,
} from "./report-parts.js";
import { wastedTokens } from "./rounds.js";
import { allRounds, type RunView } from "./run-view.js";
import { addSpent, nothingSpent } from "./spent.js";

export interface TimingReport {
  readonly total_calls: number;
  readonly total_time_ms: number;
  readonly avg_time_ms: number | null;
  readonly avg_ttft_ms: number | null;
}

/** What one agent alone would have taken: everything up to its first answer. */
export interface BaselineReport {
  readonly first_answer_label: AnswerLabel;
  readonly seconds: number;
  readonly cost: number | null;
}

export interface MetricsSummary {
  readonly meta: {
    readonly generated_at: number;
    readonly session_id: string;
    readonly question: string;
    readonly num_agents: number;
    readonly winner: AgentId | null;
  };
  readonly totals: {
    readonly estimated_cost: number | null;
    readonly agent_cost: number | null;
    readonly subagent_cost: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly reasoning_tokens: number;
    readonly cached_input_tokens: number;
    /** Share of the input that came from the vendors' caches, from 0 to 1. */
    readonly cache_hit_share: number | null;
    readonly wasted_tokens: number;
  };
  /** The same sums by phase, over all attempts. */
  readonly phases: CostReport["phases"];
  readonly budget: BudgetReport | null;
  readonly tools: ToolSummary;
  readonly rounds: RoundSummary;
  readonly api_timing: TimingReport & {
    readonly by_round: Readonly<Record<string, TimingReport>>;
    readonly by_backend: Readonly<Record<string, TimingReport>>;
  };
  readonly agents: Readonly<
    Record<
      AgentId,
      {
        readonly token_usage: TokenReport;
        readonly cache_hit_share: number | null;
        readonly tool_metrics: ToolSummary;
        readonly round_history: readonly RoundReport[];
      }
    >
  >;
  readonly baseline: Readonly<Record<AgentId, BaselineReport>>;
}

/** `metrics_summary.json`: what the run cost, where the time went, and what one agent alone would have cost. */
export function metricsSummary(view: RunView, { now, sessionId }: MetricsContext): MetricsSummary {
  const { spent } = view.state;
  const calls = itemsOf(view.activity.calls);
  return {
    meta: {
      generated_at: toSeconds(now),
      session_id: sessionId,
      question: view.state.question,
      num_agents: view.state.order.length,
      winner: view.decision?.fact.winner ?? null,
    },
    totals: {
      estimated_cost: roundCost(spent.costUsd),
      agent_cost: roundCost(spent.costUsd),
      subagent_cost: 0,
      input_tokens: spent.inputTokens,
      output_tokens: spent.outputTokens,
      reasoning_tokens: spent.reasoningTokens,
      cached_input_tokens: spent.cachedTokens,
      cache_hit_share: cacheHitShare(spent),
      wasted_tokens: sum(allRounds(view).map(wastedTokens)),
    },
    phases: costReport(view).phases,
    budget: budgetReport(view.state.spending),
    tools: toolSummary(itemsOf(view.activity.tools)),
    rounds: roundSummary(allRounds(view)),
    api_timing: {
      ...timingOf(calls),
      by_round: timingBy(calls, (call) => String(call.round)),
      by_backend: timingBy(calls, (call) => view.agents.get(call.agent)?.card.backend ?? ""),
    },
    agents: Object.fromEntries([...view.agents.values()].map((agent) => [agent.card.id, agentMetrics(view, agent)])),
    baseline: Object.fromEntries([...view.agents.values()].flatMap((agent) => baselineOf(view, agent))),
  };
}

const timingOf = (calls: readonly CallView[]): TimingReport => {
  const total = sum(calls.map((call) => call.durationMs));
  const ttfts = calls.flatMap((call) => call.ttftMs ?? []);
  return {
    total_calls: calls.length,
    total_time_ms: total,
    avg_time_ms: mean(total, calls.length),
    avg_ttft_ms: mean(sum(ttfts), ttfts.length),
  };
};

function timingBy(calls: readonly CallView[], key: (call: CallView) => string): Readonly<Record<string, TimingReport>> {
  const groups = new Map<string, CallView[]>();
  for (const call of calls) {
    const group = groups.get(key(call));
    if (group === undefined) groups.set(key(call), [call]);
    else group.push(call);
  }
  return Object.fromEntries([...groups].map(([name, group]) => [name, timingOf(group)]));
}

function agentMetrics(view: RunView, agent: AgentView): MetricsSummary["agents"][AgentId] {
  const tools = itemsOf(view.activity.tools).filter((tool) => tool.agent === agent.card.id);
  return {
    token_usage: tokenReport(agent.usage),
    cache_hit_share: cacheHitShare(agent.usage),
    tool_metrics: toolSummary(tools),
    round_history: roundsOf(agent).map(roundReport),
  };
}

function baselineOf(view: RunView, agent: AgentView): readonly (readonly [AgentId, BaselineReport])[] {
  const first = view.answers.find((answer) => answer.agent === agent.card.id);
  if (first === undefined) return [];
  const usages = roundsOf(agent).flatMap((round) => (round.round <= first.round ? (round.usage ?? []) : []));
  const cost = usages.length === 0 ? null : roundCost(usages.reduce(addSpent, nothingSpent).costUsd);
  const seconds = toSeconds(first.at - (view.coordinatingAt ?? view.startedAt ?? first.at));
  return [[agent.card.id, { first_answer_label: first.label, seconds, cost }]];
}
