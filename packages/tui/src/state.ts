import type { AgentId } from "@massgen/contracts";
import { emptyLiveView, type LiveView } from "@massgen/views";
import type { Dialog } from "./dialogs/dialog.js";
import type { FilesPanel } from "./files/workspace-files.js";

export type ModalName =
  | "help"
  | "answers"
  | "votes"
  | "decision"
  | "cost"
  | "events"
  | "final"
  | "files"
  | "file"
  | "tools"
  | "waiting"
  | "cancel";

/** An MCP server of an agent, as it is now. */
export interface ServerState {
  readonly name: string;
  readonly state: "starting" | "ready" | "failed" | "closed";
  readonly tools: number;
  readonly error: string | null;
}

/** What lies over the panes. `at`: which of several; `scroll`: rows from the top; `shows`: an answer, or what it changed. */
export interface Modal {
  readonly name: ModalName;
  readonly at: number;
  readonly scroll: number;
  readonly shows: "text" | "changes";
}

export interface ScreenState extends LiveView {
  readonly question: string;
  readonly simulated: boolean;
  /** Index of the agent whose stream is shown. */
  readonly selected: number;
  /** Rows the stream is scrolled up from its end; 0 follows it. */
  readonly scrolledUp: number;
  /** On small screens, where only one of the two has room. */
  readonly pane: "stream" | "timeline";
  /** What stands beside the streams. */
  readonly panes: { readonly timeline: boolean; readonly agents: boolean };
  /** Tool calls of the stream with all that was kept of them. */
  readonly unfolded: boolean;
  /** The workspace that is open, or was last. */
  readonly files: FilesPanel | null;
  readonly servers: ReadonlyMap<AgentId, readonly ServerState[]>;
  /** Questions for when this turn is over, the next one first; `null` where there is no conversation. */
  readonly waiting: readonly string[] | null;
  readonly modal: Modal | null;
  readonly dialog: Dialog | null;
  readonly nowMs: number;
  /**
   * How far the clock of the record is ahead of the one of the screen, milliseconds; `null` before the first fact. By the fact
   * that was seen soonest after it happened: what comes late says nothing about the time.
   */
  readonly recordAheadMs: number | null;
  readonly startedMs: number;
  /** The run is over; what came of it, for the last line. */
  readonly outcome: { readonly answer: string | null; readonly status: string } | null;
  readonly isStopping: boolean;
  readonly isAnsweringNow: boolean;
}

/** The screen before the first event. */
export const openedState = ({
  question,
  simulated,
  startedMs,
  panes = { timeline: true, agents: true },
}: Pick<ScreenState, "question" | "simulated" | "startedMs"> & { readonly panes?: ScreenState["panes"] | undefined }): ScreenState => ({
  ...emptyLiveView,
  question,
  simulated,
  selected: 0,
  scrolledUp: 0,
  pane: "stream",
  panes,
  unfolded: false,
  files: null,
  servers: new Map(),
  waiting: null,
  modal: null,
  dialog: null,
  nowMs: startedMs,
  recordAheadMs: null,
  startedMs,
  outcome: null,
  isStopping: false,
  isAnsweringNow: false,
});
