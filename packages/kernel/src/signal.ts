import type {
  ActivityFact,
  AgentCard,
  AgentId,
  ClientToolCall,
  FailureKind,
  RunMode,
  SnapshotRef,
  StopStatus,
  Usage,
  Verification,
} from "@massgen/contracts";

/** A claim about one round: signals about a round that is over are ignored. */
interface OfRound {
  readonly agent: AgentId;
  readonly round: number;
}

/** `fingerprint` identifies the canonical text, so that duplicates are found without knowing anybody's paths. */
export interface AnswerClaim {
  readonly content: string;
  readonly fingerprint: string;
  readonly snapshot: SnapshotRef | null;
  /** What the user's check said; absent where nothing is checked. */
  readonly verification?: Verification | null;
}

/** `target` is what the model wrote; the kernel reads it (`Agent 2`, `<agent2>` and `agent2.1` all mean agent2). */
export interface VoteClaim {
  readonly target: string;
  readonly reason: string;
  /** The number the model gave, unchecked; `null` when it gave none that could be read. */
  readonly confidence: number | null;
}

/** That an agent's part is done; only in decomposition. */
export interface StopClaim {
  readonly summary: string;
  readonly status: StopStatus;
}

/** What a comparison found of another wording: whether it asks for the same as the question, and how sure that is, 0 to 1. */
export interface Sameness {
  readonly isSame: boolean;
  readonly confidence: number;
}

/**
 * What somebody outside claims or asks for. Becomes facts only through `decide`.
 *
 * A response with one workflow tool comes as `answer_offered`, `vote_offered` or `stop_offered` (of several answers the last,
 * of several votes for one target the last, of several stops the last); a response that contradicts itself comes as `several_offered`; a response without a
 * usable workflow call as `nothing_offered`. `text` is what the response said besides.
 */
export type Signal =
  | {
      readonly type: "start";
      readonly question: string;
      readonly agents: readonly AgentCard[];
      readonly seed: number;
      readonly mode: RunMode;
      /** Decomposition: the parts that are given; for who has none one is asked for. */
      readonly subtasks?: Readonly<Record<AgentId, string>>;
    }
  | { readonly type: "resume"; readonly lastSeq: number }
  | ({ readonly type: "answer_offered" } & OfRound & AnswerClaim)
  | ({ readonly type: "vote_offered" } & OfRound & VoteClaim)
  | ({ readonly type: "stop_offered" } & OfRound & StopClaim)
  | ({
      readonly type: "several_offered";
      readonly answer: AnswerClaim | null;
      readonly votes: readonly VoteClaim[];
      readonly stop?: StopClaim;
      readonly text: string;
    } & OfRound)
  | ({
      readonly type: "nothing_offered";
      readonly code: "no_tool_calls" | "no_workflow_tool" | "unknown_tool" | "invalid_arguments" | "empty_answer";
      readonly tool: "new_answer" | "vote" | "stop" | null;
      readonly detail: string;
      readonly text: string;
    } & OfRound)
  | ({ readonly type: "update_delivered"; readonly labels: readonly string[] } & OfRound)
  | ({ readonly type: "wrap_up_delivered" } & OfRound)
  | ({ readonly type: "input_delivered"; readonly numbers: readonly number[] } & OfRound)
  /** The agent went on calling refused tools after its hard limit; `answer` is the text it leaves, when there is any. */
  | ({ readonly type: "round_timed_out"; readonly answer: AnswerClaim | null; readonly text: string } & OfRound)
  | ({ readonly type: "round_failed"; readonly kind: FailureKind; readonly message: string; readonly text: string } & OfRound)
  /**
   * A request is about to go out. `fact` is its record, kept only when the budget has room for it: nothing may be sent
   * before. Tokens are estimates; `maxOutputTokens: null` when nothing bounds the response. `text`: what the agent said last.
   */
  | {
      readonly type: "request_offered";
      readonly fact: Extract<ActivityFact, { type: "llm_call" }>;
      readonly inputTokens: number;
      readonly maxOutputTokens: number | null;
      readonly text: string;
    }
  | ({ readonly type: "usage_reported"; readonly usage: Usage } & OfRound)
  | { readonly type: "activity_reported"; readonly fact: ActivityFact }
  | { readonly type: "presented"; readonly agent: AgentId; readonly content: string; readonly snapshot?: SnapshotRef | null }
  /** The presenter called tools of the caller; `content`: what it said besides. */
  | {
      readonly type: "client_tools_offered";
      readonly agent: AgentId;
      readonly content: string;
      readonly calls: readonly ClientToolCall[];
      readonly snapshot?: SnapshotRef | null;
    }
  | { readonly type: "presentation_failed"; readonly agent: AgentId; readonly why: "error" | "empty"; readonly partial: string }
  | ({
      readonly type: "evaluated";
      readonly verdict: "submit" | "restart";
      readonly reason: string;
      readonly instructions: string;
    } & OfRound)
  /** A response of the evaluator without a decision. */
  | ({
      readonly type: "evaluation_missed";
      readonly code: "no_tool_calls" | "no_workflow_tool" | "unknown_tool" | "invalid_arguments";
      readonly detail: string;
    } & OfRound)
  | ({ readonly type: "evaluation_failed"; readonly message: string } & OfRound)
  /** A tool whose effects cannot be taken back is about to run. */
  | ({ readonly type: "irreversible_tool_called"; readonly callId: string; readonly name: string } & OfRound)
  /** `failure`: the reply could not be read, and the worst is assumed. */
  | {
      readonly type: "analysed";
      readonly agent: AgentId;
      readonly irreversible: boolean;
      readonly blockedTools: readonly string[];
      readonly failure: string | null;
    }
  /** The agent's backend does not work: the next one is asked. */
  | { readonly type: "analysis_failed"; readonly agent: AgentId; readonly message: string }
  /** Other wordings of the question; `sameness` is `null` where nobody compared. `failure`: the reply, or that of the comparison, could not be read. */
  | {
      readonly type: "paraphrased";
      readonly agent: AgentId;
      readonly wordings: readonly { readonly text: string; readonly sameness: Sameness | null }[];
      readonly failure: string | null;
    }
  | { readonly type: "paraphrasing_failed"; readonly agent: AgentId; readonly message: string }
  /** The parts of those who were given none. `failure`: the reply could not be read. */
  | {
      readonly type: "divided";
      readonly agent: AgentId;
      readonly subtasks: Readonly<Record<AgentId, string>>;
      readonly failure: string | null;
    }
  | { readonly type: "division_failed"; readonly agent: AgentId; readonly message: string }
  /** `texts`: per agent what it had streamed in its running response; the coordinator knows, the kernel does not. */
  | { readonly type: "timer_fired"; readonly timer: string; readonly texts: Readonly<Record<AgentId, string>> }
  /** A person or a program wants the result soon. */
  | { readonly type: "answer_now_requested"; readonly reason: string }
  /** A person or a program speaks to agents; `null`: to all. */
  | { readonly type: "input_received"; readonly id: string | null; readonly text: string; readonly agents: readonly AgentId[] | null }
  | { readonly type: "cancel_requested"; readonly reason: string; readonly texts: Readonly<Record<AgentId, string>> };
