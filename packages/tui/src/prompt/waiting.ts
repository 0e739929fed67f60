import type { ModalContent } from "../modals/modal-content.js";
import type { Modal, ScreenState } from "../state.js";
import type { Style } from "../style.js";
import { lineOf } from "../text.js";

/** Something of the questions that wait for the end of this turn. `at`: which; `null`: a new one. */
export type WaitingRequest =
  | { readonly is: "write_question"; readonly at: number | null }
  | { readonly is: "drop_question"; readonly at: number };

interface WaitingPressed {
  readonly state: ScreenState;
  readonly request: WaitingRequest | null;
}

/** The questions that wait; where there are none, a new one. Nothing outside of a conversation, and when the turn is over. */
export function openWaiting(state: ScreenState): WaitingPressed {
  if (state.waiting === null || state.outcome !== null || state.isStopping) return { state, request: null };
  if (state.waiting.length === 0) return { state, request: { is: "write_question", at: null } };
  return { state: { ...state, modal: { name: "waiting", at: 0, scroll: 0, shows: "text" } }, request: null };
}

/** The questions that wait after a key; `null` for one that means the same in every modal. */
export function pressWaiting(state: ScreenState, modal: Modal, key: string): WaitingPressed | null {
  const count = state.waiting?.length ?? 0;
  const at = Math.min(modal.at, count - 1);
  const move = (to: number): WaitingPressed => ({
    state: { ...state, modal: { ...modal, at: Math.max(0, Math.min(count - 1, to)) } },
    request: null,
  });
  switch (key) {
    case "up":
    case "k":
      return move(at - 1);
    case "down":
    case "j":
      return move(at + 1);
    case "n":
      return { state, request: { is: "write_question", at: null } };
    case "enter":
      return count === 0 ? null : { state, request: { is: "write_question", at } };
    case "x":
    case "delete":
    case "backspace":
      return count === 0 ? { state, request: null } : { state, request: { is: "drop_question", at } };
    default:
      return null;
  }
}

export function waitingContent({ waiting }: ScreenState, modal: Modal, width: number, style: Style): ModalContent {
  const texts = waiting ?? [];
  const at = Math.min(modal.at, texts.length - 1);
  const lines = texts.map((text, index) =>
    style(index === at ? "strong" : "plain", `${index === at ? "▸" : " "} ${index + 1} ${lineOf(text, Math.max(1, width - 5))}`),
  );
  return {
    title: "Asked when this turn is over",
    lines: lines.length === 0 ? [style("faint", "No question waits.")] : lines,
    of: 1,
    cursor: Math.max(0, at),
  };
}

/** The first of them in `room` cells and how many more there are, or only how many; empty for none. */
export function waitingChip({ waiting }: ScreenState, room: number, style: Style): string {
  const [first, ...more] = waiting ?? [];
  if (first === undefined) return "";
  const count = more.length === 0 ? "" : ` +${more.length}`;
  const forText = Math.min(30, room - "  next: ".length - count.length);
  return style("accent", forText < 12 ? `  +${more.length + 1} next` : `  next: ${lineOf(first, forText)}${count}`);
}
