import type { AgentId, AnonId, AnswerLabel, Consensus, RunId } from "@massgen/contracts";
import { agentsOf, type Standing } from "@massgen/kernel";
import { roundsOf } from "./agent-view.js";
import { type CellWidth, codePointWidth } from "./cells.js";
import { type CostReport, costReport } from "./cost-report.js";
import { costText } from "./cost-text.js";
import { counted, formatDuration } from "./format.js";
import { type FinishReason, finishReasonOf } from "./outcome.js";
import { excerpt } from "./preview.js";
import { toSeconds } from "./report-parts.js";
import type { RoundOutcome } from "./rounds.js";
import { ruleText } from "./rule-text.js";
import { acceptedAttempt, allRounds, nameOf, type RunView } from "./run-view.js";

export interface AgentSummary {
  readonly id: AgentId;
  readonly anon_id: AnonId;
  readonly backend: string;
  readonly model: string;
  readonly status: Standing;
  readonly answers: number;
  readonly rounds: number;
}

export interface ErrorSummary {
  readonly agent: AgentId;
  readonly type: string;
  readonly message: string;
  /** False: the round was tried once more. */
  readonly fatal: boolean;
}

/** A run at a glance: `massgen logs summary` (docs/spec/cli.md 19). */
export interface RunSummary {
  readonly run_id: RunId | null;
  readonly question: string;
  readonly finish_reason: FinishReason;
  readonly winner: AgentId | null;
  readonly winner_label: AnswerLabel | null;
  readonly consensus: Consensus | null;
  readonly rule_text: string | null;
  /** Unix seconds. */
  readonly started_at: number | null;
  readonly duration_seconds: number | null;
  readonly attempts: number;
  readonly agents: readonly AgentSummary[];
  readonly rounds_by_outcome: Readonly<Partial<Record<RoundOutcome, number>>>;
  readonly errors: readonly ErrorSummary[];
  readonly cost: CostReport;
}

export function runSummary(view: RunView): RunSummary {
  const accepted = acceptedAttempt(view);
  const attempts = [...view.pastAttempts, view];
  const cost = costReport(view);
  return {
    run_id: view.runId,
    question: view.state.question,
    finish_reason: view.finished === null ? "in_progress" : finishReasonOf(view.finished.status),
    winner: accepted.decision?.fact.winner ?? view.finished?.winner ?? null,
    winner_label: accepted.decision?.fact.label ?? null,
    consensus: accepted.decision?.fact.consensus ?? null,
    rule_text: ruleText(accepted),
    started_at: view.startedAt === null ? null : toSeconds(view.startedAt),
    duration_seconds: view.startedAt === null || view.lastAt === null ? null : toSeconds(view.lastAt - view.startedAt),
    attempts: attempts.length,
    agents: agentsOf(view.state).map(({ card, standing }) => ({
      id: card.id,
      anon_id: card.anon,
      backend: card.backend,
      model: card.model,
      status: standing,
      answers: attempts.flatMap(({ answers }) => answers).filter(({ agent }) => agent === card.id).length,
      rounds: attempts.flatMap(({ agents }) => [...agents.values()].filter((agent) => agent.card.id === card.id).flatMap(roundsOf)).length,
    })),
    rounds_by_outcome: outcomesOf(attempts),
    errors: attempts.flatMap(({ agents }) =>
      [...agents.values()].flatMap(({ card, failures }) =>
        failures.map(({ type, message, fatal }) => ({ agent: card.id, type, message, fatal })),
      ),
    ),
    cost,
  };
}

function outcomesOf(attempts: readonly RunView[]): RunSummary["rounds_by_outcome"] {
  const counts: Partial<Record<RoundOutcome, number>> = {};
  for (const { outcome } of attempts.flatMap(allRounds)) if (outcome !== null) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

export interface SummaryTextOptions {
  /** Default: one cell per character. */
  readonly cellWidth?: CellWidth;
  /** How texts that are not ours may reach the reader. Default: as they are. */
  readonly show?: (text: string) => string;
  /** Nobody writes to the log any more, although the run has not ended. Default: false. */
  readonly interrupted?: boolean;
}

/** The same for people, with what it cost by agent, phase and tool. Ends in a newline. */
export function summaryText(view: RunView, options: SummaryTextOptions = {}): string {
  const { cellWidth = codePointWidth, show = (text: string): string => text, interrupted = false } = options;
  const summary = runSummary(view);
  const row = (name: string, text: string): string => `${name.padEnd(10)}${show(excerpt(text, 500))}`;
  const attempts = summary.attempts === 1 ? "" : `, ${counted(summary.attempts, "attempt")}`;
  const lasted = summary.duration_seconds === null ? "" : ` after ${formatDuration(summary.duration_seconds * 1000)}`;
  const outcomes = Object.entries(summary.rounds_by_outcome).map(([outcome, count]) => `${count} ${outcome.replaceAll("_", " ")}`);
  const winner =
    summary.winner === null
      ? "nobody yet"
      : `${nameOf(view, summary.winner)}${summary.winner_label === null ? "" : ` with ${summary.winner_label}`}`;
  const lines = [
    row("question", summary.question),
    row("status", `${statusWord(summary.finish_reason, interrupted)}${lasted}${attempts}`),
    row("winner", winner),
    ...(summary.rule_text === null ? [] : [row("why", summary.rule_text)]),
    row("rounds", outcomes.length === 0 ? "none has ended" : outcomes.join(", ")),
    ...errorLines(summary, row),
  ];
  return `${lines.join("\n")}\n\n${costText(view, { cellWidth, show })}`;
}

const statusWord = (reason: FinishReason, interrupted: boolean): string =>
  reason !== "in_progress" ? reason.replaceAll("_", " ") : interrupted ? "interrupted" : "in progress";

function errorLines({ errors }: RunSummary, row: (name: string, text: string) => string): readonly string[] {
  if (errors.length === 0) return [row("errors", "none")];
  return errors.map(({ agent, type, message, fatal }, place) =>
    row(place === 0 ? "errors" : "", `${agent}: ${type}${fatal ? "" : ", tried again"}: ${message}`),
  );
}
