import type { AgentId, EpochMillis, Recorded, RoundKind, Usage } from "@massgen/contracts";
import type { CallView } from "./calls.js";
import { addSpent, tokensOf } from "./spent.js";

export type RoundOutcome =
  | "answer"
  | "vote"
  | "stop"
  | "abstained"
  | "restarted"
  | "presentation"
  | "post_evaluation"
  | "error"
  | "timeout"
  | "cancelled";

/** One conversation of one agent, the presentation included. */
export interface RoundView {
  readonly agent: AgentId;
  readonly round: number;
  readonly kind: RoundKind | "presentation" | "post_evaluation";
  readonly startedAt: EpochMillis;
  readonly endedAt: EpochMillis | null;
  /** `null` while it runs. */
  readonly outcome: RoundOutcome | null;
  readonly usage: Usage | null;
  readonly toolCalls: number;
  readonly calls: number;
  readonly callMs: number;
  readonly ttftMs: number;
  /** Calls that reported a time to first token: what `ttftMs` is to be divided by. */
  readonly ttftCalls: number;
  /** Its vote became void, so that its tokens bought nothing that counted. */
  readonly voteVoided: boolean;
  readonly voteIgnored: boolean;
}

export const openRound = (agent: AgentId, round: number, kind: RoundView["kind"], startedAt: EpochMillis): RoundView => ({
  agent,
  round,
  kind,
  startedAt,
  endedAt: null,
  outcome: null,
  usage: null,
  toolCalls: 0,
  calls: 0,
  callMs: 0,
  ttftMs: 0,
  ttftCalls: 0,
  voteVoided: false,
  voteIgnored: false,
});

/** The first outcome stands: what ends the agent later does not rewrite how this round ended. */
export const endRound = (round: RoundView, outcome: RoundOutcome, at: EpochMillis): RoundView =>
  round.outcome === null ? { ...round, outcome, endedAt: at } : round;

export const spendInRound = (round: RoundView, usage: Usage): RoundView => ({
  ...round,
  usage: round.usage === null ? usage : addSpent(round.usage, usage),
});

export const countCall = (round: RoundView, call: CallView): RoundView => ({
  ...round,
  calls: round.calls + 1,
  callMs: round.callMs + call.durationMs,
  ttftMs: round.ttftMs + (call.ttftMs ?? 0),
  ttftCalls: round.ttftCalls + (call.ttftMs === null ? 0 : 1),
});

const OUTCOME_OF: Readonly<Partial<Record<Recorded["type"], RoundOutcome>>> = {
  answer_submitted: "answer",
  vote_cast: "vote",
  agent_stopped: "stop",
  agent_abstained: "abstained",
  agent_failed: "error",
  agent_timeout: "timeout",
  agent_cancelled: "cancelled",
  presentation_finished: "presentation",
  post_evaluation_finished: "post_evaluation",
};

/** How a fact ends the running round of its agent; `null` when it does not. */
export const outcomeOf = (record: Recorded): RoundOutcome | null => OUTCOME_OF[record.type] ?? null;

/** Tokens of a round whose vote was voided or ignored, or that had to be started over (docs/spec/logs.md 4.10). */
export function wastedTokens(round: RoundView): number {
  const isLost =
    round.voteVoided || round.outcome === "restarted" || (round.voteIgnored && round.outcome !== "vote" && round.outcome !== "answer");
  return isLost ? tokensOf(round.usage) : 0;
}
