import type { AgentId, AnswerLabel, Consensus, Selection, StopStatus, Tally, TieBreak, TieBreakStep } from "@massgen/contracts";
import { agentsOf, answerAt } from "@massgen/kernel";
import { roundsOf } from "./agent-view.js";
import { type Ballot, whyNotCounted } from "./ballots.js";
import { counterfactual } from "./counterfactual.js";
import { warningsOf } from "./decision-warnings.js";
import type { LimitHit } from "./limits.js";
import { mean, sum, toSeconds } from "./report-parts.js";
import { ruleText, standing } from "./rule-text.js";
import type { AnswerView, RunView } from "./run-view.js";
import { tokensOf } from "./spent.js";
import { agentMapping, countedBallots } from "./vote-report.js";
import { type WhatIf, whatIfs } from "./what-if.js";

export interface MatrixRow {
  readonly voter: AgentId;
  readonly label: AnswerLabel | null;
  readonly target: AgentId;
  readonly weight: number;
  readonly confidence: number | null;
  /** The confidence is a stand-in. */
  readonly confidence_defaulted: boolean;
  readonly reason: string;
  readonly self_vote: boolean;
  readonly coerced: boolean;
  readonly epoch: number;
  readonly timestamp: number;
  readonly counted: boolean;
  readonly why_not: string | null;
}

export interface Candidate {
  readonly label: AnswerLabel;
  readonly author: AgentId;
  readonly accepted_at: number;
  readonly chars: number;
  readonly votes_for: number;
  readonly peer_votes: number;
  readonly self_votes: number;
  readonly mean_confidence: number | null;
  readonly tokens_spent: number;
  readonly superseded_by: AnswerLabel | null;
  readonly salvaged: boolean;
  /** What the user's check said; absent where nothing is checked. */
  readonly verification?: CheckReport;
  /** It could not win, because its check failed while another's passed. */
  readonly excluded?: true;
}

interface CheckReport {
  /** `null`: it could not be run. */
  readonly passed: boolean | null;
  readonly exit_code: number | null;
  readonly duration_ms: number;
  readonly summary: string;
}

interface Reason {
  readonly voter: AgentId;
  readonly label: AnswerLabel | null;
  readonly reason: string;
}

/** `decision.json`: why an answer won, with everything that was said for and against it (docs/spec/logs.md 4.9). */
export interface DecisionReport {
  readonly winner: AgentId;
  /** `null` when coordination was skipped. */
  readonly winner_label: AnswerLabel | null;
  readonly selection: Selection;
  readonly consensus: Consensus;
  readonly rule_text: string;
  readonly decided_at: number;
  readonly tally: readonly Tally[];
  readonly margin: number | null;
  readonly is_tie: boolean;
  readonly tie_broken_by: TieBreak | null;
  readonly tie_break_trace: readonly TieBreakStep[];
  readonly matrix: readonly MatrixRow[];
  readonly candidates: readonly Candidate[];
  readonly reasons_for_winner: readonly Reason[];
  readonly reasons_for_others: readonly Reason[];
  readonly counterfactual: string | null;
  readonly what_if: readonly WhatIf[];
  readonly warnings: readonly string[];
  /** Whether as many agreed as were asked for; `null` when no agreement was asked for. */
  readonly converged: boolean | null;
  /** Share of the live agents behind the leading answer; `null` when no agreement was asked for, or the answers said the same. */
  readonly share: number | null;
  readonly debates: number;
  readonly thresholds: { readonly convergence_threshold: number | null };
  /** Decomposition: the part of each agent, and how it last stopped. */
  readonly parts: readonly PartReport[];
  readonly limits_hit: readonly LimitReport[];
  readonly agent_mapping: Readonly<Record<string, AgentId>>;
}

/** `null` before the decision. The same after it, whatever the presentation brings. */
export function decisionReport({ atDecision: view }: RunView): DecisionReport | null {
  if (view === null || view.decision === null) return null;
  const { fact, counted } = view.decision;
  const votes = countedBallots(view);
  const reasons = (isWinner: boolean): readonly Reason[] =>
    votes
      .filter((ballot) => (ballot.targetLabel === fact.label) === isWinner)
      .map(({ voter, targetLabel, reason }) => ({ voter, label: targetLabel, reason }));
  return {
    winner: fact.winner,
    winner_label: fact.label,
    selection: fact.selection,
    consensus: fact.consensus,
    rule_text: ruleText(view) ?? "",
    decided_at: toSeconds(fact.at),
    tally: fact.tally,
    margin: marginOf(standing(fact)),
    is_tie: fact.isTie,
    tie_broken_by: fact.tieBrokenBy,
    tie_break_trace: fact.tieBreakTrace,
    matrix: view.ballots.map((ballot) => matrixRow(ballot, counted)),
    candidates: view.answers.map((answer) => candidateOf(view, answer, votes)),
    reasons_for_winner: reasons(true),
    reasons_for_others: reasons(false),
    counterfactual: counterfactual(view),
    what_if: whatIfs(view),
    warnings: warningsOf(view),
    converged: view.agreement === null ? null : view.agreement.type === "converged",
    share: view.agreement?.share ?? null,
    debates: view.state.debates,
    thresholds: { convergence_threshold: view.agreement?.threshold ?? null },
    parts: partsOf(view),
    limits_hit: view.limits.map(limitReport),
    agent_mapping: agentMapping(view),
  };
}

interface PartReport {
  readonly agent: AgentId;
  readonly subtask: string | null;
  readonly status: StopStatus | null;
  readonly summary: string | null;
  readonly stopped_by: "agent" | "limit" | null;
}
const partsOf = ({ state }: RunView): readonly PartReport[] =>
  state.mode !== "decomposition"
    ? []
    : agentsOf(state).map(({ card, subtask, stop }) => ({
        agent: card.id,
        subtask,
        status: stop?.status ?? null,
        summary: stop?.summary ?? null,
        stopped_by: stop?.by ?? null,
      }));

export interface LimitReport {
  readonly limit: LimitHit["limit"];
  readonly agent: AgentId | null;
  readonly value: number | null;
  readonly timestamp: number;
}
const limitReport = ({ limit, agent, value, at }: LimitHit): LimitReport => ({ limit, agent, value, timestamp: toSeconds(at) });

/** Weight of the first minus weight of the second; `null` without votes. */
export const marginOf = (tally: readonly Tally[]): number | null =>
  tally[0] === undefined ? null : Math.round((tally[0].weight - (tally[1]?.weight ?? 0)) * 1e9) / 1e9;

const matrixRow = (ballot: Ballot, counted: readonly number[]): MatrixRow => ({
  voter: ballot.voter,
  label: ballot.targetLabel,
  target: ballot.target,
  weight: ballot.weight,
  confidence: ballot.confidence,
  confidence_defaulted: ballot.confidenceDefaulted,
  reason: ballot.reason,
  self_vote: ballot.voter === ballot.target,
  coerced: ballot.coerced,
  epoch: ballot.epoch,
  timestamp: toSeconds(ballot.at),
  counted: counted.includes(ballot.seq),
  why_not: whyNotCounted(ballot, counted),
});

function candidateOf(view: RunView, answer: AnswerView, votes: readonly Ballot[]): Candidate {
  const received = votes.filter((ballot) => ballot.targetLabel === answer.label);
  const own = received.filter((ballot) => ballot.voter === answer.agent).length;
  const confidences = received.flatMap((ballot) => (ballot.confidence === null || ballot.confidenceDefaulted ? [] : [ballot.confidence]));
  return {
    label: answer.label,
    author: answer.agent,
    accepted_at: toSeconds(answer.at),
    chars: answer.chars,
    votes_for: received.length,
    peer_votes: received.length - own,
    self_votes: own,
    mean_confidence: mean(sum(confidences), confidences.length),
    tokens_spent: tokensFor(view, answer),
    superseded_by: view.answers.find((other) => other.supersedes === answer.label)?.label ?? null,
    salvaged: answer.salvaged,
    ...checkOf(view, answer.label),
  };
}

function checkOf({ state, decision }: RunView, label: AnswerLabel): Pick<Candidate, "verification" | "excluded"> {
  const check = answerAt(state, label)?.verification ?? null;
  if (check === null) return {};
  const { passed, exitCode, durationMs, summary } = check;
  const verification = { passed, exit_code: exitCode, duration_ms: Math.round(durationMs), summary };
  return decision?.fact.excluded?.includes(label) === true ? { verification, excluded: true } : { verification };
}

/** Tokens of the author's rounds since its previous answer, up to the one that gave this one. */
function tokensFor(view: RunView, answer: AnswerView): number {
  const previous = view.answers.find((other) => other.label === answer.supersedes)?.round ?? -1;
  const rounds = view.agents.get(answer.agent);
  const own = rounds === undefined ? [] : roundsOf(rounds).filter(({ round }) => round > previous && round <= answer.round);
  return sum(own.map((round) => tokensOf(round.usage)));
}
