import type { AgentId, AnswerLabel, EpochMillis, Recorded } from "@massgen/contracts";
import type { RunState } from "@massgen/kernel";

/** What became of a vote until the decision. `withdrawn`: its voter failed or was stopped. */
export type BallotFate =
  | { readonly is: "standing" }
  | { readonly is: "ignored"; readonly unseen: readonly AnswerLabel[] }
  | { readonly is: "voided"; readonly by: AnswerLabel }
  | { readonly is: "cleared"; readonly for: "debate" | "stagnation" }
  | { readonly is: "withdrawn" };

/** Every vote anybody ever offered that named a valid target, counted or not. */
export interface Ballot {
  readonly seq: number;
  readonly at: EpochMillis;
  readonly iteration: number;
  readonly round: number;
  readonly epoch: number;
  /** Votes with the same epoch and ballot were cast together: debates clear votes without a new answer. */
  readonly ballot: number;
  readonly voter: AgentId;
  readonly target: AgentId;
  /** `null` for an ignored vote whose version is not known. */
  readonly targetLabel: AnswerLabel | null;
  readonly reason: string;
  readonly confidence: number | null;
  /** The confidence is a stand-in: the voter gave none that could be read. */
  readonly confidenceDefaulted: boolean;
  readonly weight: number;
  readonly coerced: boolean;
  readonly options: readonly AnswerLabel[];
  readonly fate: BallotFate;
}

/** Folds the facts that make and unmake votes; `state` is the kernel's state after the fact. */
export function foldBallots(ballots: readonly Ballot[], record: Recorded, state: RunState, iteration: number): readonly Ballot[] {
  switch (record.type) {
    case "vote_cast":
    case "vote_ignored":
      return [...ballots, ballotOf(record, state, iteration)];
    case "vote_invalidated":
      return settle(ballots, (ballot) => record.voters.includes(ballot.voter), { is: "voided", by: record.byLabel });
    case "debate_started":
      return settle(ballots, (ballot) => record.voters.includes(ballot.voter), { is: "cleared", for: "debate" });
    case "stagnation_restart":
      return settle(ballots, (ballot) => record.voters.includes(ballot.voter), { is: "cleared", for: "stagnation" });
    case "agent_failed":
    case "agent_timeout":
    case "agent_cancelled":
      return settle(ballots, (ballot) => ballot.voter === record.agent && state.agents[record.agent]?.vote === null, { is: "withdrawn" });
    default:
      return ballots;
  }
}

const settle = (ballots: readonly Ballot[], concerns: (ballot: Ballot) => boolean, fate: BallotFate): readonly Ballot[] =>
  ballots.some((ballot) => ballot.fate.is === "standing" && concerns(ballot))
    ? ballots.map((ballot) => (ballot.fate.is === "standing" && concerns(ballot) ? { ...ballot, fate } : ballot))
    : ballots;

function ballotOf(record: Extract<Recorded, { type: "vote_cast" | "vote_ignored" }>, state: RunState, iteration: number): Ballot {
  const { seq, at, round, agent: voter, target, reason } = record;
  const common = { seq, at, iteration, round, epoch: state.answers.length, ballot: state.ballot, voter, target, reason };
  if (record.type === "vote_cast") {
    const { targetLabel, confidence, confidenceDefaulted, weight, coerced, options } = record;
    return { ...common, targetLabel, confidence, confidenceDefaulted, weight, coerced, options, fate: { is: "standing" } };
  }
  const seen = state.answers.findLast((answer) => answer.by === target && !record.unseen.includes(answer.label));
  const fate: BallotFate = { is: "ignored", unseen: record.unseen };
  return {
    ...common,
    targetLabel: seen?.label ?? null,
    confidence: null,
    confidenceDefaulted: false,
    weight: 0,
    coerced: false,
    options: [],
    fate,
  };
}

/** One sentence on why a vote was not counted; `null` when it was. */
export function whyNotCounted(ballot: Ballot, counted: readonly number[]): string | null {
  if (counted.includes(ballot.seq)) return null;
  switch (ballot.fate.is) {
    case "ignored":
      return `cast before ${ballot.fate.unseen.join(", ")} had been read`;
    case "voided":
      return `the new answer ${ballot.fate.by} voided it`;
    case "cleared":
      return ballot.fate.for === "debate" ? "a debate cleared all votes" : "a fresh start cleared all votes";
    case "withdrawn":
      return "the voter dropped out";
    case "standing":
      return "no decision was made";
  }
}
