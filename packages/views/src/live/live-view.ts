import type { AgentId, EpochMillis, HumanRequest, Recorded } from "@massgen/contracts";
import { emptyRunView, type RunView } from "../run-view.js";

/** What one agent is saying and doing, newest last. Bounded: the log has all of it. */
export interface Stream {
  /** Finished pieces: texts, tool calls, marks. */
  readonly pieces: readonly Piece[];
  /** The text that is being written. */
  readonly open: { readonly kind: "text" | "reasoning"; readonly text: string } | null;
}
export type Piece =
  | { readonly kind: "text" | "reasoning"; readonly text: string }
  | { readonly kind: "tool"; readonly callId: string; readonly name: string; readonly args: string; readonly result: ToolResult | null }
  | { readonly kind: "mark"; readonly text: string };
export interface ToolResult {
  readonly ok: boolean;
  readonly preview: string;
  readonly durationMs: number;
}

/** One line of the timeline. */
export interface Moment {
  readonly seq: number;
  readonly elapsedMs: number;
  readonly who: AgentId | null;
  readonly text: string;
  readonly tone: "plain" | "strong" | "good" | "warning" | "bad" | "faint";
}

/** A run as somebody watches it: what its facts say, and what passes and is not kept. */
export interface LiveView {
  readonly view: RunView;
  readonly streams: ReadonlyMap<AgentId, Stream>;
  readonly moments: readonly Moment[];
  /** Warnings, newest last. */
  readonly notices: readonly string[];
  /** What a person is asked just now, oldest first. */
  readonly requests: readonly OpenRequest[];
}

export interface OpenRequest {
  readonly request: HumanRequest;
  readonly at: EpochMillis;
}

export const emptyLiveView: LiveView = { view: emptyRunView, streams: new Map(), moments: [], notices: [], requests: [] };

/** Characters of one agent's stream that are kept, and moments of the run. */
export const STREAM_CHARS = 40_000;
export const MAX_MOMENTS = 5_000;

export const toneOf = (record: Recorded): Moment["tone"] => {
  switch (record.type) {
    case "answer_submitted":
    case "vote_cast":
      return "plain";
    case "winner_selected":
    case "presentation_finished":
      return "good";
    case "vote_invalidated":
    case "answer_rejected":
    case "vote_rejected":
    case "vote_ignored":
    case "soft_timeout":
    case "budget_warning":
    case "enforcement_retry":
      return "warning";
    case "agent_failed":
    case "agent_timeout":
    case "hard_timeout":
    case "orchestrator_timeout":
    case "budget_exceeded":
    case "cancelled":
      return "bad";
    default:
      return "faint";
  }
};
