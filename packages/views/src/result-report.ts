import type { AgentId, AnswerLabel, RunStatus } from "@massgen/contracts";
import { type DecisionReport, decisionReport } from "./decision-report.js";
import { type ExitCode, exitCodeOf, type FinishReason, finishReasonOf } from "./outcome.js";
import { roundCost } from "./report-parts.js";
import { acceptedAttempt, type RunView } from "./run-view.js";
import { type VoteReport, voteReport } from "./vote-report.js";

export interface ResultAnswer {
  readonly label: AnswerLabel;
  readonly agentId: AgentId;
  readonly content: string;
}

/** What the facts say of the result of the library call (docs/spec/coordination.md 5.3); paths and ids are added by who knows them. */
export interface ResultReport {
  readonly status: RunStatus | null;
  readonly finalAnswer: string | null;
  readonly winner: AgentId | null;
  readonly winnerLabel: AnswerLabel | null;
  readonly voteResults: VoteReport;
  /** Every accepted answer of the attempt whose result it is, oldest first. */
  readonly answers: readonly ResultAnswer[];
  readonly usage: {
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly totalTokens: number;
    readonly estimatedCost: number | null;
  };
  readonly timedOut: boolean;
  readonly finishReason: FinishReason;
  readonly exitCode: ExitCode | null;
  readonly decision: DecisionReport | null;
}

export function resultReport(view: RunView): ResultReport {
  const { state } = view;
  const accepted = acceptedAttempt(view);
  const { inputTokens, outputTokens, costUsd } = state.spent;
  return {
    status: state.status,
    finalAnswer: state.finalAnswer,
    winner: state.decision?.winner ?? null,
    winnerLabel: state.decision?.label ?? null,
    voteResults: voteReport(accepted),
    answers: accepted.state.answers.map(({ label, by, content }) => ({ label, agentId: by, content })),
    usage: {
      promptTokens: inputTokens,
      completionTokens: outputTokens,
      totalTokens: inputTokens + outputTokens,
      estimatedCost: roundCost(costUsd),
    },
    timedOut: state.status === "timeout",
    finishReason: state.status === null ? "in_progress" : finishReasonOf(state.status),
    exitCode: state.status === null ? null : exitCodeOf(state.status),
    decision: decisionReport(accepted),
  };
}
