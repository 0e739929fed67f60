import type { AgentId, AnswerLabel, WorkflowTool } from "@massgen/contracts";

/**
 * Work the state calls for. `id` names it for ever; changed `inputs` are delivered to work already running.
 *
 * `run_round.inputs`: `unseen` are the answers that may be put into the conversation at the next safe point (empty while
 * an update must wait); `tools` are the workflow tools that may be called now; `wrapUp` asks for the notice that time is
 * nearly over; after `hardTimeout` every other tool is refused.
 *
 * `present.round` is the presenter's round, one higher than any before; `evaluate.round` is the next one of the presenter.
 * `analyse`, `paraphrase` and `divide` ask before the first round, in conversations that are no rounds.
 *
 * A `timer` fires `max(afterMs, factor × (time of toSeq − time of fromSeq))` after the record `sinceSeq`: on the
 * monotonic clock while the runner lives, by the stamps of the log across a resume (time in which nobody ran it left out).
 */
export type Effect =
  | {
      readonly kind: "run_round";
      readonly id: `round:${string}`;
      readonly agent: AgentId;
      readonly round: number;
      readonly inputs: {
        readonly unseen: readonly AnswerLabel[];
        readonly tools: readonly WorkflowTool[];
        readonly wrapUp: boolean;
        readonly hardTimeout: boolean;
      };
    }
  | {
      readonly kind: "present";
      readonly id: `present:${string}`;
      readonly agent: AgentId;
      readonly label: AnswerLabel | null;
      readonly round: number;
      readonly inputs: null;
    }
  | {
      readonly kind: "evaluate";
      readonly id: `evaluate:${string}`;
      readonly agent: AgentId;
      readonly round: number;
      readonly inputs: null;
    }
  | {
      readonly kind: "analyse";
      readonly id: `analyse:${string}`;
      readonly agent: AgentId;
      readonly inputs: null;
    }
  | {
      readonly kind: "paraphrase";
      readonly id: `paraphrase:${string}`;
      readonly agent: AgentId;
      readonly inputs: null;
    }
  | {
      readonly kind: "divide";
      readonly id: `divide:${string}`;
      readonly agent: AgentId;
      readonly inputs: null;
    }
  | {
      readonly kind: "timer";
      readonly id: `timer:${string}`;
      readonly limit:
        | "orchestrator"
        | "presentation"
        | "evaluation"
        | "planning"
        | "paraphrases"
        | "division"
        | "stragglers"
        | "soft"
        | "hard";
      /** Whose round it limits; `null` for limits of the run. */
      readonly agent: AgentId | null;
      readonly sinceSeq: number;
      readonly afterMs: number;
      readonly scaled: { readonly factor: number; readonly fromSeq: number; readonly toSeq: number } | null;
      readonly inputs: null;
    };
