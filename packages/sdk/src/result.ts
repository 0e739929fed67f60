import type { AgentId, AnswerLabel, RunStatus } from "@massgen/contracts";
import type { DecisionReport, ExitCode, FinishReason, VoteReport } from "@massgen/views";
import type { ChangesReport } from "./delivery/report.js";

export interface AnswerEntry {
  readonly label: AnswerLabel;
  readonly agentId: AgentId;
  /** Absolute path of its file; `null` without logs. */
  readonly path: string | null;
  readonly content: string;
}

/** How a run ended, whatever came of it (docs/spec/coordination.md 5.3). */
export interface FinishedRun {
  readonly status: RunStatus;
  /** `null` when no agent left anything. */
  readonly finalAnswer: string | null;
  readonly winner: AgentId | null;
  readonly winnerLabel: AnswerLabel | null;
  /** The content of `vote.json`. */
  readonly voteResults: VoteReport;
  /** Every accepted answer, oldest first. */
  readonly answers: readonly AnswerEntry[];
  /** Absolute paths; `null` without logs, the latter two also without an answer. */
  readonly logDirectory: string | null;
  readonly finalDirectory: string | null;
  readonly finalAnswerPath: string | null;
  /** Tokens of all agents and rounds; `estimatedCost` in US dollars, `null` when a price is unknown. */
  readonly usage: {
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly totalTokens: number;
    readonly estimatedCost: number | null;
  };
  /** What the presenter changed in the user's files, and what came of it; `null` when nothing was changed. */
  readonly changes: ChangesReport | null;
  readonly attempts: number;
  /** Folder with the files of the attempt whose answer it is; that of the log itself unless restarts are configured. */
  readonly attemptDirectory: string | null;
  readonly timedOut: boolean;
  readonly finishReason: FinishReason;
  /** What a program that ends with this run exits with. */
  readonly exitCode: ExitCode;
  /** The content of `decision.json`; `null` when it came to none. */
  readonly decision: DecisionReport | null;
  readonly sessionId: string;
  readonly durationMs: number;
  /** Why it did not end normally, for people; `null` when it did. */
  readonly message: string | null;
}

/** What `run` resolves with: there is an answer. */
export type RunResult = FinishedRun & { readonly finalAnswer: string };
