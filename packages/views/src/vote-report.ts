import type { AgentId, AnswerLabel, Consensus, Selection, TieBreak } from "@massgen/contracts";
import { agentsOf, currentAnswers, currentVotes, tallyVotes } from "@massgen/kernel";
import type { Ballot } from "./ballots.js";
import { toSeconds } from "./report-parts.js";
import type { RunView } from "./run-view.js";

export interface VoteReport {
  readonly votes: Readonly<Record<AgentId, CountedVote>>;
  readonly vote_counts: Readonly<Record<AgentId, number>>;
  readonly vote_counts_by_label: Readonly<Record<AnswerLabel, number>>;
  readonly voter_details: Readonly<Record<AgentId, readonly { readonly voter: AgentId; readonly reason: string }[]>>;
  readonly winner: AgentId | null;
  readonly winner_label: AnswerLabel | null;
  readonly is_tie: boolean;
  readonly tie_broken_by: TieBreak | null;
  readonly selection: Selection | null;
  readonly consensus: Consensus | null;
  readonly consensus_reached: boolean;
  readonly total_votes: number;
  readonly agents_with_answers: number;
  readonly agents_voted: number;
  readonly abstained: readonly AgentId[];
  readonly failed: readonly AgentId[];
  readonly agent_mapping: Readonly<Record<string, AgentId>>;
}

export interface CountedVote {
  readonly voted_for: AgentId;
  readonly voted_for_label: AnswerLabel;
  readonly reason: string;
  readonly weight: number;
  readonly timestamp: number;
}

/** The votes that count: behind the decision once there is one, of the current epoch until then. */
export function countedBallots(view: RunView): readonly Ballot[] {
  if (view.decision !== null) {
    const { counted } = view.decision;
    return view.ballots.filter((ballot) => counted.includes(ballot.seq));
  }
  const voters = new Set(currentVotes(view.state).map((vote) => vote.voter));
  const isCurrent = (ballot: Ballot): boolean => ballot.fate.is === "standing" && ballot.epoch === view.state.answers.length;
  return view.ballots.filter((ballot) => isCurrent(ballot) && voters.has(ballot.voter));
}

/** `vote.json` of a run, and `voteResults` of the library's result (docs/spec/logs.md 4.9). */
export function voteReport(view: RunView): VoteReport {
  const counted = countedBallots(view);
  const fact = view.decision?.fact ?? null;
  const tally = fact?.tally ?? tallyVotes(view.state);
  const targets = new Set(counted.map((ballot) => ballot.target));
  return {
    votes: Object.fromEntries(counted.map((ballot) => [ballot.voter, countedVote(ballot)])),
    vote_counts: Object.fromEntries([...targets].map((target) => [target, weightOf(counted.filter((ballot) => ballot.target === target))])),
    vote_counts_by_label: Object.fromEntries(tally.map(({ label, weight }) => [label, weight])),
    voter_details: Object.fromEntries([...targets].map((target) => [target, reasonsFor(counted, target)])),
    winner: fact?.winner ?? null,
    winner_label: fact?.label ?? null,
    is_tie: fact?.isTie ?? false,
    tie_broken_by: fact?.tieBrokenBy ?? null,
    selection: fact?.selection ?? null,
    consensus: fact?.consensus ?? null,
    consensus_reached: fact?.consensus === "unanimous" || fact?.consensus === "majority" || view.agreement?.type === "converged",
    total_votes: counted.length,
    agents_with_answers: currentAnswers(view.state).length,
    agents_voted: new Set(counted.map((ballot) => ballot.voter)).size,
    abstained: abstainedIn(view),
    failed: agentsOf(view.state).flatMap((agent) => (agent.standing === "error" || agent.standing === "timeout" ? [agent.card.id] : [])),
    agent_mapping: agentMapping(view),
  };
}

export const agentMapping = (view: RunView): Readonly<Record<string, AgentId>> =>
  Object.fromEntries(agentsOf(view.state).map((agent) => [agent.card.anon, agent.card.id]));

const weightOf = (ballots: readonly Ballot[]): number => ballots.reduce((sum, ballot) => sum + ballot.weight, 0);

const reasonsFor = (ballots: readonly Ballot[], target: AgentId): readonly { readonly voter: AgentId; readonly reason: string }[] =>
  ballots.filter((ballot) => ballot.target === target).map(({ voter, reason }) => ({ voter, reason }));

const countedVote = (ballot: Ballot): CountedVote => ({
  voted_for: ballot.target,
  // A counted vote was cast, and a cast vote names its label.
  voted_for_label: ballot.targetLabel!,
  reason: ballot.reason,
  weight: ballot.weight,
  timestamp: toSeconds(ballot.at),
});

/** The decision turns every agent's standing into `completed`; how its last round ended is still known. */
function abstainedIn(view: RunView): readonly AgentId[] {
  return [...view.agents.values()].flatMap(({ card, newestRound, pastRounds }) => {
    const last = newestRound?.kind === "presentation" ? pastRounds.shared[pastRounds.length - 1] : newestRound;
    return last?.outcome === "abstained" ? [card.id] : [];
  });
}
