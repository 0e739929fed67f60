import type { AgentId, Usage } from "@massgen/contracts";
import { itemsOf } from "./grow-list.js";
import { type RoundReport, roundReport } from "./metrics-events.js";
import { type TokenReport, type ToolSummary, tokenReport, toolSummary } from "./report-parts.js";
import type { RoundView } from "./rounds.js";
import { allRounds, type RunView } from "./run-view.js";
import { addSpent, nothingSpent } from "./spent.js";

/** What a part of a run took. */
export interface SpentReport extends TokenReport {
  /** Share of the input that the vendor had in its cache, from 0 to 1; `null` without any input. */
  readonly cache_hit_share: number | null;
  readonly api_calls: number;
}

/** `planning`: what was asked before the first round. */
export const SPENDING_PHASES = ["planning", "initial_answer", "evaluation", "presentation", "post_evaluation"] as const;
export type SpendingPhase = (typeof SPENDING_PHASES)[number];

export interface SpentInRound extends SpentReport {
  readonly attempt: number;
  readonly agent: AgentId;
  readonly round: number;
  readonly kind: RoundReport["round_type"];
  readonly outcome: RoundReport["outcome"];
}

/** Where tokens and money of a run went, over all its attempts (docs/spec/logs.md 4.10). */
export interface CostReport {
  readonly total: SpentReport;
  readonly agents: Readonly<Record<AgentId, SpentReport & { readonly model: string; readonly rounds: number }>>;
  readonly phases: Readonly<Partial<Record<SpendingPhase, SpentReport & { readonly rounds: number }>>>;
  /** In the order in which they began. */
  readonly rounds: readonly SpentInRound[];
  /** Tools take no money of their own: what they cost is the input that their results become, a quarter of its characters. */
  readonly tools: ToolSummary;
}

/**
 * Tokens and money by agent, phase, round and tool. An unknown price makes every sum with it `null`, never 0. Usable at any
 * moment of a run: what is reported is counted, running requests are not.
 */
export function costReport(view: RunView): CostReport {
  const rounds = attemptsOf(view).flatMap((attempt) => allRounds(attempt).map((round) => ({ round, attempt: attempt.state.attempt })));
  const calls = attemptsOf(view).flatMap((attempt) => itemsOf(attempt.activity.calls));
  const tools = attemptsOf(view).flatMap((attempt) => itemsOf(attempt.activity.tools));
  const ofAgents = [...view.agents.values()].map(({ card, usage }) => {
    const own = rounds.filter(({ round }) => round.agent === card.id);
    const asked = calls.filter((call) => call.agent === card.id).length;
    // Whoever was never asked has cost nothing; what a request without an answer cost is not known.
    const report = spentReport(usage ?? (asked === 0 ? nothingSpent : null), asked);
    return [card.id, { ...report, model: card.model, rounds: own.length }] as const;
  });
  return {
    total: spentReport(view.state.spent, calls.length),
    agents: Object.fromEntries(ofAgents),
    phases: phasesOf(
      rounds.map(({ round }) => round),
      view.state.spent,
      calls.length,
    ),
    rounds: rounds
      .toSorted((a, b) => a.round.startedAt - b.round.startedAt)
      .map(({ round, attempt }) => {
        const { round_type: kind, outcome } = roundReport(round);
        const { agent, round: number } = round;
        return { attempt, agent, round: number, kind, outcome, ...spentReport(round.usage, round.calls) };
      }),
    tools: toolSummary(tools),
  };
}

const attemptsOf = (view: RunView): readonly RunView[] => [...view.pastAttempts, view];

const spentReport = (usage: Usage | null, calls: number): SpentReport => ({
  ...tokenReport(usage),
  cache_hit_share: cacheHitShare(usage),
  api_calls: calls,
});

/** Share of the input that came from the vendor's cache, to a thousandth; `null` when there was no input. */
export const cacheHitShare = (usage: Usage | null): number | null =>
  usage === null || usage.inputTokens === 0 ? null : Math.round((usage.cachedTokens / usage.inputTokens) * 1000) / 1000;

const phaseOf = ({ kind }: RoundView): SpendingPhase =>
  kind === "initial" ? "initial_answer" : kind === "presentation" || kind === "post_evaluation" ? kind : "evaluation";

function phasesOf(rounds: readonly RoundView[], spent: Usage, calls: number): CostReport["phases"] {
  const inRounds = rounds.reduce(
    (sum, round) => ({ usage: round.usage === null ? sum.usage : addSpent(sum.usage, round.usage), calls: sum.calls + round.calls }),
    { usage: nothingSpent, calls: 0 },
  );
  const before = { usage: difference(spent, inRounds.usage), calls: calls - inRounds.calls };
  type Row = readonly [SpendingPhase, SpentReport & { readonly rounds: number }];
  const rows = SPENDING_PHASES.flatMap((phase): readonly Row[] => {
    if (phase === "planning") return before.calls > 0 ? [[phase, { ...spentReport(before.usage, before.calls), rounds: 0 }]] : [];
    const own = rounds.filter((round) => phaseOf(round) === phase);
    if (own.length === 0) return [];
    const usages = own.flatMap(({ usage }) => (usage === null ? [] : [usage]));
    const usage = usages.length === 0 ? null : usages.reduce(addSpent, nothingSpent);
    const count = own.reduce((sum, round) => sum + round.calls, 0);
    return [[phase, { ...spentReport(usage, count), rounds: own.length }]];
  });
  return Object.fromEntries(rows);
}

const difference = (all: Usage, part: Usage): Usage => ({
  inputTokens: all.inputTokens - part.inputTokens,
  outputTokens: all.outputTokens - part.outputTokens,
  cachedTokens: all.cachedTokens - part.cachedTokens,
  reasoningTokens: all.reasoningTokens - part.reasoningTokens,
  costUsd: all.costUsd === null || part.costUsd === null ? null : Math.max(0, all.costUsd - part.costUsd),
});
