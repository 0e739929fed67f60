import type { AgentId, Recorded, Usage } from "@massgen/contracts";
import { currentVotes, liveAgents, type RunState } from "@massgen/kernel";
import type { Ballot } from "./ballots.js";

/** The decision with what was true at that moment, before the others were told that they are done. */
export interface DecisionView {
  readonly fact: Extract<Recorded, { type: "winner_selected" }>;
  readonly live: readonly AgentId[];
  /** Records of the votes that were counted. */
  readonly counted: readonly number[];
  readonly spent: Usage;
}

/** `state` and `ballots` as they were before the fact. */
export const decisionOf = (state: RunState, ballots: readonly Ballot[], fact: DecisionView["fact"]): DecisionView => ({
  fact,
  live: liveAgents(state).map((agent) => agent.card.id),
  counted: countedBallots(state, ballots, fact).map((ballot) => ballot.seq),
  spent: state.spent,
});

/** The votes behind the tally: of the current epoch, or after a time limit of the newest epoch that had any. */
function countedBallots(state: RunState, ballots: readonly Ballot[], { selection }: DecisionView["fact"]): readonly Ballot[] {
  if (selection === "votes") {
    const voters = new Set(currentVotes(state).map((vote) => vote.voter));
    return ballots.filter((ballot) => ballot.fate.is === "standing" && ballot.epoch === state.answers.length && voters.has(ballot.voter));
  }
  if (selection !== "previous_epoch") return [];
  const cast = ballots.filter((ballot) => ballot.fate.is !== "ignored");
  const newest = cast.at(-1);
  return cast.filter(({ epoch, ballot }) => epoch === newest?.epoch && ballot === newest.ballot);
}
