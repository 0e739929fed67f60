import type { AgentId, EpochMillis, Recorded } from "@massgen/contracts";
import { emptyRunView, type RunView } from "@massgen/views";
import type { Dialog } from "./dialogs/dialog.js";

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

export type ModalName = "help" | "answers" | "votes" | "decision" | "cost" | "events" | "final" | "cancel";

/** What lies over the panes. `at`: which of several; `scroll`: rows from the top; `shows`: an answer, or what it changed. */
export interface Modal {
  readonly name: ModalName;
  readonly at: number;
  readonly scroll: number;
  readonly shows: "text" | "changes";
}

export interface ScreenState {
  readonly question: string;
  readonly simulated: boolean;
  readonly view: RunView;
  readonly streams: ReadonlyMap<AgentId, Stream>;
  readonly moments: readonly Moment[];
  /** Index of the agent whose stream is shown. */
  readonly selected: number;
  /** Rows the stream is scrolled up from its end; 0 follows it. */
  readonly scrolledUp: number;
  /** On small screens, where only one of the two has room. */
  readonly pane: "stream" | "timeline";
  readonly modal: Modal | null;
  readonly dialog: Dialog | null;
  readonly nowMs: number;
  /** When the newest fact happened, and when the screen saw it: ties the clock of the record to the one of the screen. */
  readonly lastFact: { readonly at: EpochMillis; readonly seenMs: number } | null;
  readonly startedMs: number;
  /** The run is over; what came of it, for the last line. */
  readonly outcome: { readonly answer: string | null; readonly status: string } | null;
  readonly isStopping: boolean;
  readonly isAnsweringNow: boolean;
  /** Warnings, newest last. */
  readonly notices: readonly string[];
}

/** The screen before the first event. */
export const openedState = ({
  question,
  simulated,
  startedMs,
}: Pick<ScreenState, "question" | "simulated" | "startedMs">): ScreenState => ({
  question,
  simulated,
  view: emptyRunView,
  streams: new Map(),
  moments: [],
  selected: 0,
  scrolledUp: 0,
  pane: "stream",
  modal: null,
  dialog: null,
  nowMs: startedMs,
  lastFact: null,
  startedMs,
  outcome: null,
  isStopping: false,
  isAnsweringNow: false,
  notices: [],
});

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
