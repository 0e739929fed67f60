import type { AgentId, BudgetLimits, TieBreak } from "@massgen/contracts";

/** The rules of a run, fixed from its start. Durations in milliseconds. */
export interface Policy {
  /** Accepted answers per agent after which it may only vote; `null` leaves the safety cap of 20. */
  readonly maxAnswersPerAgent: number | null;
  /** Accepted answers of all agents together after which everybody may only vote. */
  readonly maxAnswersGlobal: number | null;
  /** How many answers an agent may be ahead of the slowest active one; `null` switches pacing off. */
  readonly fairnessLeadCap: number | null;
  /** Peers' answers put into one running round; `null` is no limit. */
  readonly maxInjectionsPerRound: number | null;
  /** When a working agent that has an answer learns of a peer's new one. */
  readonly peerUpdates: "midstream" | "next_round";
  /** Nobody evaluates before every live agent has its first answer. `null`: true with three or more agents. */
  readonly deferVotingUntilAllAnswered: boolean | null;
  /** Factor of the time to the median first answer; `0` does not wait beyond it, `null` waits for all. */
  readonly stragglerPatience: number | null;
  /** Responses without a valid action in one round before the agent fails or abstains. */
  readonly maxAttemptsPerRound: number;
  readonly tieBreak: readonly TieBreak[];
  /** How different a new answer must be from every current one (docs/spec/coordination.md 1.5). */
  readonly novelty: "lenient" | "balanced" | "strict";
  /**
   * As `maxAnswersPerAgent`, the smaller of the two counts; bounds debates too: one fewer than this, without it two. An agent
   * that refines alone has two answers when neither says more.
   */
  readonly maxRounds: number | null;
  /** Share of the live agents that must stand behind one answer; `null` asks for none. */
  readonly convergenceThreshold: number | null;
  readonly votingMethod: "plurality" | "weighted_by_confidence";
  /** What a vote for its voter's own answer weighs, as a factor from 0 to 1. */
  readonly selfVoteWeight: number;
  /** `false`: who must look again goes on in its conversation where it can, and stagnation is not acted on. */
  readonly enableRestarts: boolean;
  /** Coordination rounds in a row that bring nothing new before everybody starts afresh; `null` never does. */
  readonly restartAfterStagnation: number | null;
  /** Answers that fail the user's check cannot win as long as one has passed it. */
  readonly verifyRequired: boolean;
  /** How often the presented answer may send the team back to work; attempts are one more. */
  readonly maxRestarts: number;
  /** What is judged in place of the presented answer of the first attempt, for trying restarts out; `null` as a rule. */
  readonly debugFinalAnswer: string | null;
  /** First asks whether the question needs tools that cannot be undone, and keeps those for the presentation. */
  readonly planningMode: boolean;
  /** How many other wordings of the question are asked for before the rounds; 0 for none. */
  readonly paraphrases: number;
  /** How sure a comparison must be that a wording asks for the same, 0 to 1; `null`: nobody compares. */
  readonly paraphraseThreshold: number | null;
  /** Decomposition: who was given no part gets one from a model that is asked first; `false`: a share of the whole. */
  readonly dividesWork: boolean;
  /** What the run may spend; `null`: nobody counts. */
  readonly budget: BudgetLimits | null;
  /** No agent works in rounds: the first one presents at once. */
  readonly skipCoordination: boolean;
  /** Nobody votes: the run is decided when every live agent has an answer. */
  readonly skipVoting: boolean;
  /** What becomes of the chosen answer: presented, final as it stands, or merged with the best of the others. */
  readonly finalAnswer: "present" | "reuse" | "synthesize";
  /** Decomposition: who puts the parts together; `null` is the last agent that has an answer. */
  readonly presenterAgent: AgentId | null;
  readonly limits: {
    /** From the start of coordinating to the decision. */
    readonly orchestratorMs: number;
    /** Soft limit of an agent's first round and of later rounds. */
    readonly initialRoundMs: number | null;
    readonly subsequentRoundMs: number | null;
    /** From the delivered request to wrap up to the hard limit. */
    readonly roundGraceMs: number;
    /** For dividing the work, whoever is asked. */
    readonly divisionMs: number;
    readonly presentationMs: number;
    readonly postEvaluationMs: number;
  };
}

export const SAFETY_CAP_ANSWERS = 20;

export const defaultPolicy: Policy = {
  verifyRequired: false,
  maxAnswersPerAgent: null,
  maxAnswersGlobal: null,
  fairnessLeadCap: 2,
  maxInjectionsPerRound: 2,
  peerUpdates: "midstream",
  deferVotingUntilAllAnswered: null,
  stragglerPatience: 2,
  maxAttemptsPerRound: 3,
  tieBreak: ["peer_votes", "confidence", "registration_order"],
  novelty: "lenient",
  maxRounds: null,
  convergenceThreshold: null,
  votingMethod: "plurality",
  selfVoteWeight: 1,
  enableRestarts: true,
  restartAfterStagnation: null,
  maxRestarts: 0,
  debugFinalAnswer: null,
  planningMode: false,
  paraphrases: 0,
  paraphraseThreshold: 0.85,
  dividesWork: true,
  budget: null,
  skipCoordination: false,
  skipVoting: false,
  finalAnswer: "present",
  presenterAgent: null,
  limits: {
    orchestratorMs: 1_800_000,
    initialRoundMs: null,
    subsequentRoundMs: null,
    roundGraceMs: 120_000,
    divisionMs: 300_000,
    presentationMs: 600_000,
    postEvaluationMs: 300_000,
  },
};
