import type { Approval, HumanRequest, RunEvent } from "@massgen/contracts";
import { consentDialog, type ProposedFile, type ReviewReply, reviewDialog } from "./dialogs/dialog.js";
import { createAsker } from "./dialogs/wait-for-reply.js";
import type { FilesRequest } from "./files/press-files.js";
import type { Awaited, FilesPanel, WorkspaceFiles } from "./files/workspace-files.js";
import { foldEvent } from "./fold-event.js";
import { frameRows } from "./frame.js";
import { press } from "./keys.js";
import type { WaitingRequest } from "./prompt/waiting.js";
import { openedState, type ScreenState } from "./state.js";
import { createStyle, type ThemeName } from "./style.js";
import { createPainter } from "./terminal/painter.js";
import { readKeys } from "./terminal/read-keys.js";
import { ENTER, LEAVE, type TuiTerminal } from "./terminal/terminal.js";

export interface TuiOptions {
  readonly terminal: TuiTerminal;
  readonly question: string;
  readonly simulated: boolean;
  /** Default `dark`; `none` uses no colour. */
  readonly theme?: ThemeName;
  /** What stands beside the streams. Default: all of it. */
  readonly panes?: ScreenState["panes"];
  /** Default: nobody has files. */
  readonly files?: WorkspaceFiles;
  /** The MCP servers of every agent that has some, as they are now. */
  readonly servers?: () => ScreenState["servers"];
  /** Milliseconds on a clock that never jumps. */
  readonly monotonic: () => number;
  /** Calls back every `ms` until the returned function is called. */
  readonly every: (ms: number, callback: () => void) => () => void;
  readonly onAnswerNow: () => void;
  /** The person wants to say something to agents at work; whoever asks for it pauses the screen. Default: nobody listens. */
  readonly onSay?: () => void;
  /** The person writes, changes or drops a question for when this turn is over; as with `onSay`. */
  readonly onWaiting?: (request: WaitingRequest) => void;
  /** The person wants the run to stop; it is saved while the screen stays. */
  readonly onStop: () => void;
}

export interface Tui {
  event(event: RunEvent): void;
  /** A line that belongs to no agent. */
  notice(message: string): void;
  stopping(): void;
  /** The questions that wait for the end of this turn: it is one of a conversation. */
  waiting(questions: readonly string[]): void;
  /** Gives the terminal back, as it was, until the returned function is called. */
  pause(): () => void;
  /** Asks the person for consent. Rejects when `signal` aborts or the screen is closed: nobody answered. */
  ask(request: Pick<HumanRequest, "agent" | "prompt">, signal: AbortSignal): Promise<Approval>;
  /** Shows what would be changed and asks what is to become of it. Rejects as `ask` does. */
  review(files: readonly ProposedFile[], answer: string, signal: AbortSignal): Promise<ReviewReply>;
  /** The run is over. Resolves when the person leaves, at once when nothing is open that they may be reading. */
  end(outcome: { readonly answer: string | null; readonly status: string }): Promise<void>;
  /** Gives the terminal back as it was. Idempotent. */
  close(): void;
}

/** Frames a second: enough to see text arrive. */
const FRAME_MS = 50;
/** The clock moves on its own once a second. */
const IDLE_FRAMES = 20;

/** Takes the terminal over and shows a run until it is closed. */
export function openTui(options: TuiOptions): Tui {
  const { terminal, question, simulated, theme = "dark", panes, monotonic, every } = options;
  const style = createStyle(theme);
  const painter = createPainter(terminal);
  let state = openedState({ question, simulated, startedMs: monotonic(), panes });
  let isChanged = true;
  let isClosed = false;
  let pauses = 0;
  let leave: (() => void) | null = null;

  const change = (next: ScreenState): void => {
    state = next;
    isChanged = true;
  };
  const draw = (): void => {
    if (isClosed || pauses > 0) return;
    if (state.outcome === null) state = { ...state, nowMs: monotonic() };
    if (state.modal?.name === "tools" && options.servers !== undefined) state = { ...state, servers: options.servers() };
    const size = { columns: terminal.columns(), rows: terminal.rows() };
    painter.paint(frameRows(state, size, style), size.columns);
    isChanged = false;
  };
  const asker = createAsker((dialog) => {
    change({ ...state, dialog });
    draw();
  });
  async function look(request: FilesRequest): Promise<void> {
    const { files } = options;
    if (request.is === "list_files") {
      const listing = await awaited(files?.list(request.agent) ?? Promise.resolve(null));
      put(request.agent, null, (panel) => ({ ...panel, listing }));
    } else if (files !== undefined) {
      const { path } = request;
      const preview = await awaited(files.read(request.agent, path));
      put(request.agent, path, (panel) => ({ ...panel, open: { path, preview } }));
    }
  }
  /** What was looked for, where it is still looked at. */
  const put = (agent: string, path: string | null, next: (panel: FilesPanel) => FilesPanel): void => {
    const { files } = state;
    if (files?.agent !== agent || (path !== null && files.open?.path !== path)) return;
    change({ ...state, files: next(files) });
    draw();
  };
  const keys = readKeys((key, isAlone) => {
    // A letter that came in a crowd was pasted, or typed before anybody asked: it decides nothing.
    if (state.dialog !== null && !isAlone && key.length === 1) return;
    const { state: next, request } = press({ ...state, nowMs: monotonic() }, key);
    change(next);
    if (request === "answer_now") options.onAnswerNow();
    else if (request === "say") options.onSay?.();
    else if (request === "stop") options.onStop();
    else if (request === "leave") leave?.();
    else if (request?.is === "write_question" || request?.is === "drop_question") options.onWaiting?.(request);
    else if (request?.is === "list_files" || request?.is === "read_file") void look(request);
    else if (request !== null) asker.reply(request);
    draw();
  });

  terminal.setRaw(true);
  terminal.write(ENTER);
  // While it is paused what is typed is for somebody else.
  terminal.onInput((data) => pauses === 0 && keys.read(data));
  const drawAgain = (): void => {
    painter.forget();
    draw();
  };
  terminal.onResize(drawAgain);
  terminal.onResume(drawAgain);
  let frame = 0;
  const stopFrames = every(FRAME_MS, () => {
    frame += 1;
    if (isChanged || (state.outcome === null && frame % IDLE_FRAMES === 0)) draw();
  });
  draw();

  return {
    event: (event) => change(foldEvent("seq" in event ? { ...state, nowMs: monotonic() } : state, event)),
    notice: (message) => change({ ...state, notices: [...state.notices.slice(-19), message] }),
    stopping: () => change({ ...state, isStopping: true }),
    waiting(questions) {
      change({ ...state, waiting: questions });
      draw();
    },
    pause() {
      pauses += 1;
      if (pauses === 1 && !isClosed) {
        terminal.write(LEAVE);
        terminal.setRaw(false);
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        pauses -= 1;
        if (pauses > 0 || isClosed) return;
        terminal.setRaw(true);
        terminal.write(ENTER);
        drawAgain();
      };
    },
    async ask(request, signal) {
      const reply = await asker.ask(() => consentDialog(request, monotonic()), signal);
      return reply.is === "consent" ? reply.approval : "deny";
    },
    async review(files, answer, signal) {
      const reply = await asker.ask(() => reviewDialog(files, answer, monotonic()), signal);
      return reply.is === "review" ? reply.decision : { accept: "later" };
    },
    end(outcome) {
      const modal = state.modal?.name === "cancel" || state.modal?.name === "waiting" ? null : state.modal;
      const isReading = modal !== null;
      change({ ...state, outcome, nowMs: monotonic(), modal });
      draw();
      if (!isReading) return Promise.resolve();
      return new Promise((resolve) => {
        leave = resolve;
      });
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      asker.close();
      stopFrames();
      keys.close();
      terminal.write(LEAVE);
      terminal.setRaw(false);
      terminal.release();
      leave?.();
    },
  };
}

const awaited = <T>(promise: Promise<T>): Promise<Awaited<T>> =>
  promise.then(
    (value) => ({ is: "there", value }),
    (error: unknown) => ({ is: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
