import type { AgentId, AnswerLabel } from "../ids.js";

/** The presented answer is judged, and the team may be sent back to work (docs/spec/coordination.md 1.18). */
export type AttemptFact =
  | { readonly type: "post_evaluation_started"; readonly agent: AgentId; readonly round: number }
  /**
   * `autoSubmitted`: the answer is released although the evaluator did not release it; `note` says why, for people.
   * `reason` and `instructions` are the evaluator's own words, blank for a plain release.
   */
  | {
      readonly type: "post_evaluation_finished";
      readonly agent: AgentId;
      readonly verdict: "submit" | "restart";
      readonly reason: string;
      readonly instructions: string;
      readonly autoSubmitted: boolean;
      readonly note: string | null;
    }
  /** `attempt` begins, counted from 1. Answers, votes, rounds and failures of the one before count no more. */
  | {
      readonly type: "attempt_restarted";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly reason: string;
      readonly instructions: string;
    }
  /** The last attempt ended without an answer: what an earlier one had presented is the result. */
  | { readonly type: "earlier_attempt_used"; readonly attempt: number; readonly agent: AgentId; readonly label: AnswerLabel | null }
  /** A tool whose effects cannot be taken back is about to run in the presentation: the team cannot start over any more. */
  | {
      readonly type: "irreversible_tool_ran";
      readonly agent: AgentId;
      readonly round: number;
      readonly callId: string;
      readonly name: string;
    };
