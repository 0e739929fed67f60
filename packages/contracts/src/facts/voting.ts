import type { AgentId, AnswerLabel } from "../ids.js";

/**
 * How the votes of a team come to a decision, or do not (docs/spec/coordination.md 1.14, 1.22). `share`: weight of the
 * leading answer over the number of live agents, 0 without votes.
 */
export type VotingFact =
  /** The team agreed: enough of it stands behind one answer, or all answers say the same (`share` is then `null`). */
  | {
      readonly type: "converged";
      readonly by: "votes" | "similarity";
      readonly label: AnswerLabel;
      readonly share: number | null;
      readonly threshold: number;
    }
  /** Everybody voted, too few agree, and no debate is left: the leader wins all the same. */
  | { readonly type: "convergence_missed"; readonly share: number; readonly threshold: number; readonly debates: number }
  /** Everybody voted and too few agree: the named votes are void, and all look again, with the reasons. `of`: debates there may be. */
  | {
      readonly type: "debate_started";
      readonly debate: number;
      readonly of: number;
      readonly share: number;
      readonly threshold: number;
      readonly voters: readonly AgentId[];
    }
  /** Every live agent has acted since the last of these. `stagnantInARow`: rounds up to this one that brought nothing new. */
  | { readonly type: "coordination_round_closed"; readonly number: number; readonly share: number; readonly stagnantInARow: number }
  /** Nothing moves: votes and conversations are void, answers stay, and everybody is asked for a different approach. */
  | {
      readonly type: "stagnation_restart";
      readonly rounds: number;
      /** The answer with the most votes, else the newest. */
      readonly leading: AnswerLabel | null;
      readonly voters: readonly AgentId[];
    }
  /** Somebody wants the result: the rounds of `agents` wrap up, and once everybody has an answer nobody may improve any more. */
  | { readonly type: "answer_now_requested"; readonly reason: string; readonly agents: readonly AgentId[] }
  /** No new answers from now on: everybody may only vote. */
  | { readonly type: "answers_closed"; readonly because: "stagnation" | "answer_now" };
