import type { Dialog, Reply } from "./dialogs/dialog.js";
import { pressDialog } from "./dialogs/press-dialog.js";
import { type FilesRequest, openFiles, pressFiles } from "./files/press-files.js";
import { openWaiting, pressWaiting, type WaitingRequest } from "./prompt/waiting.js";
import type { ModalName, ScreenState } from "./state.js";

/** What a key asks the outside for; everything else changes only the screen. */
export type Request = "answer_now" | "say" | "stop" | "leave" | Reply | FilesRequest | WaitingRequest;

export interface Pressed {
  readonly state: ScreenState;
  readonly request: Request | null;
}

/** Rows of one step of page and wheel. */
const PAGE = 10;
const WHEEL = 3;
/** Below every end; the frame stops at the last line. */
const LAST = 1_000_000_000;

/** The screen after a key, by its name (`"tab"`, `"j"`, `"pageUp"`, `"wheelUp"`, …). Pure. */
export function press(state: ScreenState, key: string): Pressed {
  const { modal, dialog } = state;
  if (dialog !== null && modal?.name !== "cancel") return pressInDialog(state, dialog, key);
  return modal === null ? pressInPanes(state, key) : pressInModal(state, modal, key);
}

function pressInDialog(state: ScreenState, asked: Dialog, key: string): Pressed {
  if (key === "ctrl+c") return open(state, "cancel");
  const { dialog, reply } = pressDialog(asked, key, state.nowMs);
  return { state: { ...state, dialog: reply === null ? dialog : null }, request: reply };
}

const shown = (state: ScreenState): Pressed => ({ state, request: null });

function pressInPanes(state: ScreenState, key: string): Pressed {
  const count = state.view.state.order.length;
  const select = (index: number): Pressed => shown(count === 0 ? state : { ...state, selected: (index + count) % count, scrolledUp: 0 });
  const scroll = (rows: number): Pressed => shown({ ...state, scrolledUp: Math.max(0, state.scrolledUp + rows) });
  const digit = /^[1-9]$/.test(key) ? Number(key) : 0;
  if (digit > 0) return digit <= count ? select(digit - 1) : shown(state);
  switch (key) {
    case "tab":
    case "right":
    case "l":
      return select(state.selected + 1);
    case "shift+tab":
    case "left":
    case "h":
      return select(state.selected - 1);
    case "up":
    case "k":
      return scroll(1);
    case "down":
    case "j":
      return scroll(-1);
    case "pageUp":
      return scroll(PAGE);
    case "pageDown":
      return scroll(-PAGE);
    case "wheelUp":
      return scroll(WHEEL);
    case "wheelDown":
      return scroll(-WHEEL);
    case "end":
    case "shift+g":
      return scroll(-state.scrolledUp);
    case "t":
      return shown({ ...state, pane: state.pane === "stream" ? "timeline" : "stream" });
    case "o":
      return shown({ ...state, unfolded: !state.unfolded });
    case "w":
      return openFiles(state);
    case "a":
      return canAnswerNow(state) ? { state: { ...state, isAnsweringNow: true }, request: "answer_now" } : shown(state);
    case "i":
      return { state, request: state.outcome === null && !state.isStopping ? "say" : null };
    case "n":
      return openWaiting(state);
    case "enter":
      return state.outcome !== null ? open(state, "final") : openAnswerOf(state);
    case "q":
    case "ctrl+c":
    case "ctrl+d":
      return state.outcome !== null ? { state, request: "leave" } : open(state, "cancel");
    default:
      return MODAL_KEYS.has(key) ? open(state, MODAL_KEYS.get(key) ?? "help") : shown(state);
  }
}

const MODAL_KEYS: ReadonlyMap<string, ModalName> = new Map([
  ["?", "help"],
  ["shift+?", "help"],
  ["b", "answers"],
  ["v", "votes"],
  ["d", "decision"],
  ["c", "cost"],
  ["e", "events"],
  ["f", "final"],
  ["m", "tools"],
]);

const canAnswerNow = ({ outcome, isAnsweringNow, view }: ScreenState): boolean =>
  outcome === null && !isAnsweringNow && view.state.phase === "coordinating";

function open(state: ScreenState, name: ModalName): Pressed {
  return shown({
    ...state,
    modal: {
      name,
      at: name === "answers" ? Math.max(0, state.view.state.answers.length - 1) : 0,
      scroll: name === "events" ? LAST : 0,
      shows: "text",
    },
  });
}

function openAnswerOf(state: ScreenState): Pressed {
  const id = state.view.state.order[state.selected];
  const at = state.view.state.answers.findLastIndex(({ by }) => by === id);
  return at === -1 ? open(state, "answers") : shown({ ...state, modal: { name: "answers", at, scroll: 0, shows: "text" } });
}

function pressInModal(state: ScreenState, modal: NonNullable<ScreenState["modal"]>, key: string): Pressed {
  const scroll = (rows: number): Pressed => shown({ ...state, modal: { ...modal, scroll: Math.max(0, modal.scroll + rows) } });
  const stepTo = (step: number): Pressed => {
    const count = modal.name === "answers" ? state.view.state.answers.length : 1;
    return shown({ ...state, modal: { ...modal, at: Math.max(0, Math.min(count - 1, modal.at + step)), scroll: 0 } });
  };
  const close = shown({ ...state, modal: null });
  if (modal.name === "cancel") {
    if (key === "y" || key === "enter" || key === "ctrl+c") return { state: { ...close.state, isStopping: true }, request: "stop" };
    return key === "escape" || key === "n" || key === "q" ? close : shown(state);
  }
  if (modal.name === "files" || modal.name === "file") {
    const pressed = pressFiles(state, modal, key);
    if (pressed !== null) return pressed;
  }
  if (modal.name === "waiting") {
    const pressed = pressWaiting(state, modal, key);
    if (pressed !== null) return pressed;
  }
  switch (key) {
    case "w":
      return openFiles(state);
    case "escape":
    case "q":
    case "enter":
    case "ctrl+c":
      return close;
    case "up":
    case "k":
      return scroll(-1);
    case "down":
    case "j":
      return scroll(1);
    case "pageUp":
      return scroll(-PAGE);
    case "pageDown":
    case "space":
      return scroll(PAGE);
    case "wheelUp":
      return scroll(-WHEEL);
    case "wheelDown":
      return scroll(WHEEL);
    case "home":
    case "g":
      return scroll(-modal.scroll);
    case "end":
    case "shift+g":
      return scroll(LAST);
    case "x":
      return shown({ ...state, modal: { ...modal, shows: modal.shows === "text" ? "changes" : "text", scroll: 0 } });
    case "left":
    case "h":
      return stepTo(-1);
    case "right":
    case "l":
    case "tab":
      return stepTo(1);
    default:
      return MODAL_KEYS.has(key) ? open({ ...state, modal: null }, MODAL_KEYS.get(key) ?? "help") : shown(state);
  }
}
