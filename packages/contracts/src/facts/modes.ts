import type { AgentId, AnswerLabel } from "../ids.js";

/**
 * How agents work together (docs/spec/coordination.md 1.16, 1.21, 1.22). `single`: one agent, one conversation, no workflow
 * tools. `refine`: one agent that improves its answer until it accepts it. `decomposition`: a subtask each, and one that puts
 * the parts together. `sequential`: one agent after another, each on what the earlier ones delivered.
 */
export type RunMode = "voting" | "single" | "refine" | "decomposition" | "sequential";

/** What the presenter is asked for. `assemble`: one whole of all parts; `direct`: an answer without any coordination. */
export type PresentationStrategy = "winner_present" | "synthesize" | "assemble" | "direct";

export type StopStatus = "complete" | "blocked";

/** Facts of the modes and shortcuts beside plain voting. */
export type ModeFact =
  /** No agent works in rounds; this one presents at once. */
  | { readonly type: "coordination_skipped"; readonly agent: AgentId }
  /** An agent is asked for other wordings of the question. */
  | { readonly type: "paraphrasing_started"; readonly agent: AgentId }
  /** Each agent gets one beside the question, in turn. `agent`: whose they are; `null` when there are none, and `failure` says why. */
  | {
      readonly type: "question_paraphrased";
      readonly agent: AgentId | null;
      readonly wordings: readonly string[];
      /** Those that ask for something else, as a comparison with the question found. */
      readonly dropped: readonly string[];
      readonly failure: string | null;
    }
  /** An agent is asked to divide the work, because not everybody was given a part. */
  | { readonly type: "division_started"; readonly agent: AgentId }
  /** The parts follow. `agent`: whose reply they are; `null` when nobody's could be used, and `failure` says why. */
  | { readonly type: "work_divided"; readonly agent: AgentId | null; readonly failure: string | null }
  /** Which part of the whole each agent works on. */
  | { readonly type: "subtasks_set"; readonly subtasks: Readonly<Record<AgentId, string>> }
  /** Its part is finished or blocked, until somebody else has a new answer. `by: "limit"`: it had no answers left to give. */
  | {
      readonly type: "agent_stopped";
      readonly agent: AgentId;
      readonly round: number;
      readonly summary: string;
      readonly status: StopStatus;
      readonly by: "agent" | "limit";
    }
  /** The stop did not count: there were answers that the agent had not seen. */
  | {
      readonly type: "stop_ignored";
      readonly agent: AgentId;
      readonly round: number;
      readonly summary: string;
      readonly unseen: readonly AnswerLabel[];
    };
