import type {
  AgentCard,
  AgentId,
  AnswerLabel,
  FailureKind,
  Phase,
  PresentationStrategy,
  RoundKind,
  RunMode,
  RunStatus,
  Selection,
  SnapshotRef,
  StopStatus,
  Usage,
  Verification,
  WorkflowTool,
} from "@massgen/contracts";
import { nothingSpent, type Spending } from "./budget/spending.js";

export type Standing =
  | "waiting"
  | "streaming"
  | "answered"
  | "voted"
  | "stopped"
  | "abstained"
  | "restarting"
  | "error"
  | "timeout"
  | "cancelled"
  | "completed";

export interface Vote {
  readonly target: AgentId;
  readonly targetLabel: AnswerLabel;
  readonly reason: string;
  /** As the voter gave it; `null` when it gave none. */
  readonly confidence: number | null;
  readonly weight: number;
}

/** A vote as it was cast; kept after it became void, for the record and for `previous_epoch`. */
export interface CastVote extends Vote {
  readonly voter: AgentId;
  readonly epoch: number;
  /** How often votes had been cleared without a new answer when it was cast. */
  readonly ballot: number;
}

/** Why an agent considers its part done; only in decomposition. */
export interface Stop {
  readonly summary: string;
  readonly status: StopStatus;
  readonly by: "agent" | "limit";
}

export interface Answer {
  readonly label: AnswerLabel;
  readonly by: AgentId;
  readonly version: number;
  readonly content: string;
  readonly fingerprint: string;
  readonly snapshot: SnapshotRef | null;
  /** What the user's check said of it; `null` where nothing is checked. */
  readonly verification: Verification | null;
  readonly salvaged: boolean;
  /** Number of the record that accepted it. */
  readonly seq: number;
}

/** Something a person or a program said to agents at work. */
export interface SaidInput {
  readonly number: number;
  readonly id: string | null;
  readonly text: string;
  readonly agents: readonly AgentId[];
}

export interface AgentState {
  readonly card: AgentCard;
  readonly standing: Standing;
  /** Round it is in or was in last; -1 before the first. */
  readonly round: number;
  /** Record that started the round; timers of the round count from it. */
  readonly roundSeq: number;
  readonly kind: RoundKind;
  /** Workflow tools that may be called now; what is defined is constant over the run. */
  readonly tools: readonly WorkflowTool[];
  readonly answers: number;
  /** Accepted answers in a row since it last saw something new of a peer. */
  readonly streak: number;
  /** Its part of the whole; `null` unless the work was divided. */
  readonly subtask: string | null;
  /** How it last stopped; `null` once it works again. */
  readonly stop: Stop | null;
  /** Has answered, voted, stopped or abstained at least once: peers no longer wait for its first word. */
  readonly hasActed: boolean;
  /** Has acted since the last coordination round closed. */
  readonly hasActedLately: boolean;
  readonly restarts: number;
  /** Author → newest version put in front of this agent in its running conversation. */
  readonly seen: Readonly<Record<AgentId, number>>;
  /** Number of the newest input put before it; 0 when none was. */
  readonly heard: number;
  /** Enforcement attempts used in this round. */
  readonly attempts: number;
  /** Peers' answers injected in this round. */
  readonly injections: number;
  readonly vote: Vote | null;
  /** Transient failures so far; the first of an attempt is forgiven. */
  readonly transientFailures: number;
  readonly failure: { readonly kind: FailureKind; readonly message: string } | null;
  readonly softTimeout: boolean;
  /** Record that delivered the request to wrap up; `null` before. */
  readonly wrapUpSeq: number | null;
  readonly hardTimeout: boolean;
  readonly pausedForFairness: boolean;
  /** What it streamed in its last response before it failed or was stopped; the source of a salvaged answer. */
  readonly lastText: string;
}

/** What the running coordination round has brought, and how many before it brought nothing. */
interface Progress {
  readonly roundsClosed: number;
  /** An answer unlike all others was accepted since the last close. */
  readonly hasNewAnswer: boolean;
  /** Leading share at the last close. */
  readonly share: number;
  readonly stagnantInARow: number;
  readonly hasRestarted: boolean;
}

/** What an earlier attempt had presented, and why the team was sent back to work. */
export interface PastAttempt {
  readonly attempt: number;
  readonly winner: AgentId;
  readonly label: AnswerLabel | null;
  readonly selection: Selection;
  readonly finalAnswer: string;
  /** The files presented with it; `null` without files. */
  readonly snapshot: SnapshotRef | null;
  readonly reason: string;
  readonly instructions: string;
}

/** The question put before a run in planning mode; `verdict` is `null` while it is open. */
interface Planning {
  readonly analyst: AgentId;
  /** Record that first put it. */
  readonly seq: number;
  readonly verdict: { readonly irreversible: boolean; readonly blockedTools: readonly string[] } | null;
}

/** Other wordings of the question are asked for; `wordings` is `null` while they are. */
interface Paraphrasing {
  readonly asked: AgentId;
  /** Record that first asked. */
  readonly seq: number;
  readonly wordings: readonly string[] | null;
}

/** The work is to be divided, by the agent that is asked. */
interface Division {
  readonly asked: AgentId;
  /** Record that first asked. */
  readonly seq: number;
  readonly isDone: boolean;
}

export interface RunState {
  readonly phase: Phase;
  readonly question: string;
  readonly mode: RunMode;
  /** Records folded so far. */
  readonly seq: number;
  /** Record that began coordinating; 0 before. */
  readonly coordinatingSeq: number;
  readonly presentingSeq: number;
  readonly order: readonly AgentId[];
  readonly agents: Readonly<Record<AgentId, AgentState>>;
  /** Accepted answers, oldest first. The epoch is their number. */
  readonly answers: readonly Answer[];
  /** Every vote ever cast, oldest first. */
  readonly votes: readonly CastVote[];
  /** `label` is `null` when coordination was skipped. */
  readonly decision: { readonly winner: AgentId; readonly label: AnswerLabel | null; readonly selection: Selection } | null;
  /** The presented text; `null` until there is one. */
  readonly finalAnswer: string | null;
  /** The files delivered with it; `null` without files. */
  readonly finalSnapshot: SnapshotRef | null;
  readonly presentationRound: number | null;
  readonly presentationStrategy: PresentationStrategy | null;
  /** Counted from 1. What the state holds is of this attempt, unless it says otherwise. */
  readonly attempt: number;
  /** The attempt before this one; `null` in the first. */
  readonly pastAttempt: PastAttempt | null;
  /** The judging of the presented answer; `seq` is the record that began it. */
  readonly evaluation: { readonly round: number; readonly seq: number } | null;
  /** The attempt whose presented answer became the result although a later one was begun; `null` as a rule. */
  readonly earlierAttemptUsed: number | null;
  /** Tools of the presentation whose effects cannot be taken back. */
  readonly irreversibleTools: readonly string[];
  /** Of the run, for all its attempts; `null` when it is not in planning mode. */
  readonly planning: Planning | null;
  /** Of the run, for all its attempts; `null` where everybody gets the question alone. */
  readonly paraphrasing: Paraphrasing | null;
  /** `null` where everybody was given a part, or nothing is divided. */
  readonly division: Division | null;
  /** What was said to agents, of the run, for all its attempts; number `n` stands at `n - 1`. */
  readonly inputs: readonly SaidInput[];
  readonly stragglersGivenUp: boolean;
  /** How often votes were cleared without a new answer: by debates and by a restart after stagnation. */
  readonly ballot: number;
  /** Why votes were cleared last, and in which epoch: rounds begun in that epoch are about it. */
  readonly reopened: { readonly as: "debate" | "stagnation"; readonly epoch: number } | null;
  readonly debates: number;
  readonly progress: Progress;
  readonly answerNow: boolean;
  /** Everybody may only vote. */
  readonly answersClosed: boolean;
  readonly orchestratorTimeout: boolean;
  readonly cancelled: boolean;
  readonly status: RunStatus | null;
  readonly spent: Usage;
  /** The same for budgets: by agent and round, calls included. */
  readonly spending: Spending;
}

export const initialState: RunState = {
  phase: "idle",
  question: "",
  mode: "voting",
  seq: 0,
  coordinatingSeq: 0,
  presentingSeq: 0,
  order: [],
  agents: {},
  answers: [],
  votes: [],
  decision: null,
  finalAnswer: null,
  finalSnapshot: null,
  presentationRound: null,
  presentationStrategy: null,
  attempt: 1,
  pastAttempt: null,
  evaluation: null,
  earlierAttemptUsed: null,
  irreversibleTools: [],
  planning: null,
  paraphrasing: null,
  division: null,
  inputs: [],
  stragglersGivenUp: false,
  ballot: 0,
  reopened: null,
  debates: 0,
  progress: { roundsClosed: 0, hasNewAnswer: false, share: 0, stagnantInARow: 0, hasRestarted: false },
  answerNow: false,
  answersClosed: false,
  orchestratorTimeout: false,
  cancelled: false,
  status: null,
  spent: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: 0 },
  spending: nothingSpent,
};
