import type { FailureKind, Usage } from "./backend.js";
import type { AttemptFact } from "./facts/attempts.js";
import type { BudgetFact } from "./facts/budget.js";
import type { InputFact } from "./facts/input.js";
import type { ModeFact, PresentationStrategy, RunMode } from "./facts/modes.js";
import type { PlanningFact } from "./facts/planning.js";
import type { RequestFact } from "./facts/requests.js";
import type { Verification } from "./facts/verification.js";
import type { VotingFact } from "./facts/voting.js";
import type { AgentId, AnonId, AnswerLabel, EpochMillis, JsonValue, RunId } from "./ids.js";

export type WorkflowTool = "new_answer" | "vote" | "stop" | "submit" | "restart_orchestration";
export type Phase = "idle" | "preparing" | "coordinating" | "presenting" | "evaluating" | "finished";
export type RoundKind = "initial" | "evaluation" | "vote_only" | "debate" | "stagnation" | "stage";
export type RunStatus = "completed" | "partial" | "timeout" | "cancelled" | "budget" | "error" | "tool_calls";
export type RejectionCode =
  | "tool_unavailable"
  | "invalid_arguments"
  | "empty_answer"
  | "answer_limit"
  | "fairness_lead"
  | "answer_duplicate"
  | "answer_novelty"
  | "vote_no_answers"
  | "invalid_vote_id"
  | "no_tool_calls"
  | "no_workflow_tool"
  | "unknown_tool"
  | "vote_and_answer"
  | "multiple_votes"
  | "stop_and_answer"
  | "stop_without_answer"
  | "hard_timeout"
  | "gate_rejected"
  | "budget";
export type TieBreak = "peer_votes" | "confidence" | "registration_order" | "latest_answer";
/** Share of the votes behind the winner (docs/spec/coordination.md 1.12). */
export type Consensus = "unanimous" | "majority" | "plurality" | "tie_broken" | "none" | "single";
/** What the winner was chosen by. */
export type Selection = "votes" | "latest_answer" | "previous_epoch" | "presenter" | "skipped" | "single";
/** Why the final text is not the presenter's own new text; `null` when it is. */
export type PresentationFallback = "empty" | "error" | "timeout" | "failed_agent" | "skipped";
/** Why an agent that could start a round is kept waiting. */
export type GateName = "first_answers" | "answers_under_way" | "fairness" | "lone_self_evaluation" | "earlier_stage";

export interface AgentCard {
  readonly id: AgentId;
  readonly anon: AnonId;
  readonly backend: string;
  readonly model: string;
}
export interface Tally {
  readonly label: AnswerLabel;
  readonly weight: number;
}
/** One criterion of the tie-break chain: the value of every tied label, and which labels were left after it. */
export interface TieBreakStep {
  readonly criterion: TieBreak;
  readonly values: readonly { readonly label: AnswerLabel; readonly value: number }[];
  readonly survivors: readonly AnswerLabel[];
}
/** One immutable version of an agent's files. The fact that names it binds it to an answer. */
export interface SnapshotRef {
  readonly agent: AgentId;
  readonly version: string;
}
/** A call of a tool of whoever asked the question; it is handed to them and never run here (docs/spec/coordination.md 5.4). */
export interface ClientToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonValue;
}

/**
 * What happened, judged and final. Facts are appended, never edited, and are complete sentences: a viewer needs no rule
 * to read them. The union is a public format for ever; readers ignore what they do not know.
 */
export type CoordinationEvent =
  // the run
  | {
      readonly type: "run_started";
      readonly question: string;
      readonly agents: readonly AgentCard[];
      readonly seed: number;
      readonly mode: RunMode;
    }
  | { readonly type: "phase_changed"; readonly from: Phase; readonly to: Phase }
  | { readonly type: "run_resumed"; readonly lastSeq: number }
  | { readonly type: "cancelled"; readonly phase: Phase; readonly reason: string }
  /** The orchestrator's time limit fired. `agents`: those that were still working. */
  | { readonly type: "orchestrator_timeout"; readonly limitMs: number; readonly agents: readonly AgentId[] }
  | { readonly type: "run_finished"; readonly status: RunStatus; readonly winner: AgentId | null; readonly message: string | null }
  // rounds
  | {
      readonly type: "round_started";
      readonly agent: AgentId;
      readonly round: number;
      readonly kind: RoundKind;
      readonly shown: readonly AnswerLabel[];
      readonly tools: readonly WorkflowTool[];
    }
  | {
      readonly type: "update_injected";
      readonly agent: AgentId;
      readonly round: number;
      readonly labels: readonly AnswerLabel[];
      readonly tools: readonly WorkflowTool[];
    }
  | { readonly type: "restart_triggered"; readonly by: AgentId; readonly affected: readonly AgentId[] }
  /** The agent looks again, in the fresh conversation that the `round_started` beside it begins. */
  | { readonly type: "restart_completed"; readonly agent: AgentId; readonly round: number }
  | {
      readonly type: "answer_rejected" | "vote_rejected" | "enforcement_retry";
      readonly agent: AgentId;
      readonly round: number;
      readonly code: RejectionCode;
      readonly message: string;
      readonly attempt: number;
      readonly maxAttempts: number;
    }
  | { readonly type: "agent_abstained"; readonly agent: AgentId; readonly code: RejectionCode }
  /** `fatal: false`: the round is tried once more. `lastText`: what the agent had streamed in its last response. */
  | {
      readonly type: "agent_failed";
      readonly agent: AgentId;
      readonly kind: FailureKind;
      readonly message: string;
      readonly fatal: boolean;
      readonly lastText: string;
    }
  | { readonly type: "agent_timeout"; readonly agent: AgentId; readonly limit: "hard" | "orchestrator"; readonly lastText: string }
  | { readonly type: "agent_cancelled"; readonly agent: AgentId; readonly reason: "straggler" | "decided" | "cancelled" }
  /** The soft limit of a round passed: the agent is asked to wrap up at its next safe point. */
  | { readonly type: "soft_timeout"; readonly agent: AgentId; readonly round: number; readonly limitMs: number }
  /** The request to wrap up was put into the agent's conversation; the grace counts from here. */
  | { readonly type: "wrap_up_delivered"; readonly agent: AgentId; readonly round: number }
  /** Soft limit and grace passed: only workflow tools are served from now on. */
  | { readonly type: "hard_timeout"; readonly agent: AgentId; readonly round: number; readonly limitMs: number }
  | { readonly type: "fairness_pause" | "fairness_resume"; readonly agent: AgentId; readonly lead: number; readonly cap: number }
  | {
      readonly type: "limit_reached";
      readonly agent: AgentId | null;
      readonly limit: "per_agent" | "global" | "safety";
      readonly value: number;
    }
  /** The hold on votes ended although not every live agent has its first answer. */
  | { readonly type: "stragglers_given_up"; readonly waitingFor: readonly AgentId[] }
  | { readonly type: "deadlock_avoided"; readonly gates: readonly GateName[] }
  // answers and votes; an epoch ends with every accepted answer
  | {
      readonly type: "answer_submitted";
      readonly agent: AgentId;
      readonly round: number;
      readonly label: AnswerLabel;
      readonly content: string;
      readonly fingerprint: string;
      readonly supersedes: AnswerLabel | null;
      readonly salvaged: boolean;
      readonly snapshot: SnapshotRef | null;
      /** Absent, or `null`, where nothing is checked. */
      readonly verification?: Verification | null;
      /** Likeness to the current answer most like it, from 0 to 1; `null` when answers are not compared or there was none. */
      readonly maxSimilarity: number | null;
    }
  | {
      readonly type: "vote_cast";
      readonly agent: AgentId;
      readonly round: number;
      readonly target: AgentId;
      readonly targetLabel: AnswerLabel;
      readonly reason: string;
      /** From 0 to 1; `null` when the voter gave none and none is needed. */
      readonly confidence: number | null;
      /** Votes are weighed by confidence and the voter gave none that could be read. */
      readonly confidenceDefaulted: boolean;
      readonly weight: number;
      readonly coerced: boolean;
      readonly options: readonly AnswerLabel[];
    }
  | {
      readonly type: "vote_ignored";
      readonly agent: AgentId;
      readonly round: number;
      readonly target: AgentId;
      readonly reason: string;
      readonly unseen: readonly AnswerLabel[];
    }
  | { readonly type: "vote_invalidated"; readonly voters: readonly AgentId[]; readonly byLabel: AnswerLabel }
  | VotingFact
  // the decision and its delivery
  | {
      readonly type: "winner_selected";
      readonly winner: AgentId;
      /** `null` when coordination was skipped: there is no answer yet. */
      readonly label: AnswerLabel | null;
      readonly tally: readonly Tally[];
      readonly consensus: Consensus;
      readonly selection: Selection;
      readonly isTie: boolean;
      readonly tieBrokenBy: TieBreak | null;
      readonly tieBreakTrace: readonly TieBreakStep[];
      /** Answers that could not win because their check failed while another's passed; absent when there are none. */
      readonly excluded?: readonly AnswerLabel[];
    }
  | {
      readonly type: "presentation_started";
      readonly agent: AgentId;
      readonly label: AnswerLabel | null;
      readonly round: number;
      readonly strategy: PresentationStrategy;
    }
  | {
      readonly type: "presentation_finished";
      readonly agent: AgentId;
      readonly content: string;
      /** The files that are delivered with it: the presenter's, or those of the stored answer; `null` without files. */
      readonly snapshot: SnapshotRef | null;
      readonly fallback: PresentationFallback | null;
      readonly partial: string;
    }
  /** The presenter called tools that only the caller can run: the run ends here, and what it said stands beside the calls. */
  | { readonly type: "client_tools_called"; readonly agent: AgentId; readonly round: number; readonly calls: readonly ClientToolCall[] }
  | AttemptFact
  | PlanningFact
  // what people say meanwhile
  | InputFact
  // money
  | { readonly type: "usage_recorded"; readonly agent: AgentId; readonly round: number; readonly usage: Usage }
  | BudgetFact
  // modes and shortcuts
  | ModeFact
  // what happened inside a round: recorded as reported, never judged
  | ActivityFact;

/** `purpose` says which conversation a call belongs to; `round` counts the agent's rounds, the presentation included. */
export type ActivityFact =
  | RequestFact
  | {
      readonly type: "tool_start";
      readonly agent: AgentId;
      readonly round: number;
      readonly callId: string;
      readonly name: string;
      readonly argsPreview: string;
    }
  | {
      readonly type: "tool_complete";
      readonly agent: AgentId;
      readonly round: number;
      readonly callId: string;
      readonly name: string;
      readonly ok: boolean;
      readonly durationMs: number;
      readonly inputChars: number;
      readonly outputChars: number;
      readonly resultPreview: string;
    }
  | {
      readonly type: "llm_call";
      readonly agent: AgentId;
      readonly round: number;
      readonly callId: string;
      readonly purpose: Channel;
      readonly status: "started" | "finished" | "retrying" | "failed";
      readonly ttftMs: number | null;
      readonly durationMs: number | null;
      readonly message: string | null;
    };

/**
 * Where a fact stands in the log. `seq` counts the records of a run from 1 without gaps; `closes` marks the last fact of
 * its decision; a decision without it was torn by a crash and is dropped on load.
 */
export interface Stamp {
  readonly seq: number;
  readonly at: EpochMillis;
  readonly runId: RunId;
  readonly decision: number;
  readonly closes: boolean;
}
export type Recorded = Stamp & CoordinationEvent;

/** Which conversation a text comes from. */
export type Channel = "work" | "presentation" | "evaluation" | "planning";

/** Passing stream for screens. Not kept in the log, may be merged under back-pressure, never decides anything. */
export type Delta =
  /** The model begins a new response: what follows belongs to it. */
  | { readonly type: "response_started"; readonly agent: AgentId; readonly channel: Channel; readonly round: number }
  | { readonly type: "content_delta"; readonly agent: AgentId; readonly channel: Channel; readonly text: string }
  | { readonly type: "reasoning_delta"; readonly agent: AgentId; readonly channel: Channel; readonly text: string }
  /** What this response streamed so far is void: the adapter tries again. */
  | {
      readonly type: "content_discarded";
      readonly agent: AgentId;
      readonly channel: Channel;
      readonly reason: string;
      readonly waitMs: number;
    }
  | { readonly type: "tool_progress"; readonly agent: AgentId; readonly callId: string; readonly note: string }
  | { readonly type: "gate"; readonly agent: AgentId; readonly gate: GateName; readonly held: boolean }
  | { readonly type: "notice"; readonly level: "info" | "warning" | "error"; readonly agent: AgentId | null; readonly message: string };

/** What a watcher of a run receives: one union, one `switch (event.type)`. Only facts have a `seq`. */
export type RunEvent = Recorded | Delta;
