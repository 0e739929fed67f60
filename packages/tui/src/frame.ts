import { dialogContent } from "./dialogs/dialog-rows.js";
import { modalContent } from "./modals/modal-rows.js";
import { agentRows } from "./rows/agents.js";
import { headerRows } from "./rows/header.js";
import { matrixRows } from "./rows/matrix.js";
import { streamRows } from "./rows/stream.js";
import { timelineRows } from "./rows/timeline.js";
import type { ScreenState } from "./state.js";
import type { Style } from "./style.js";
import { beside, block, cellsOf, cut, ends, filled, lineOf } from "./text.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** From here on stream and timeline stand side by side. */
const WIDE = 100;

/** The whole screen, exactly `rows` rows of at most `columns` cells. Pure. */
export function frameRows(state: ScreenState, { columns, rows }: Size, style: Style): readonly string[] {
  if (columns < 20 || rows < 5) return block([cut("massgen: the window is too small", columns)], rows);
  const header = headerRows(state, columns, style);
  const footer = footerRow(state, columns, style);
  const room = rows - header.length - 1;
  const body = bodyRows(state, columns, room, style);
  return [...header, ...block(body, room), footer].map((row) => cut(row, columns));
}

function bodyRows(state: ScreenState, width: number, height: number, style: Style): readonly string[] {
  const { modal, dialog } = state;
  if (dialog !== null && modal?.name !== "cancel") {
    const { title, lines, scroll, keys } = dialogContent(dialog, width - 4, height - 5, style);
    return boxRows({ title, lines, scroll, below: ["", ...keys], isSteppable: false }, width, height, style);
  }
  if (modal === null) return panes(state, width, height, style);
  const { title, lines, of, cursor } = modalContent(state, modal, width - 4, style);
  const scroll = cursor === undefined ? modal.scroll : Math.max(0, cursor - height + 3);
  return boxRows({ title, lines, scroll, below: [], isSteppable: of > 1 }, width, height, style);
}

function panes(state: ScreenState, width: number, height: number, style: Style): readonly string[] {
  const count = state.view.state.order.length;
  const forAgents = Math.min(count, Math.max(1, Math.floor(height / 3)));
  const upper = state.panes.agents ? [...agentRows(state, width, forAgents, style), style("faint", "─".repeat(width))] : [];
  const room = height - upper.length;
  const lower = state.panes.timeline
    ? width >= WIDE
      ? sideBySide(state, width, room, style)
      : stacked(state, width, room, style)
    : streamRows(state, width, room, style);
  return [...upper, ...block(lower, room)];
}

function sideBySide(state: ScreenState, width: number, height: number, style: Style): readonly string[] {
  const right = Math.floor(width * 0.42);
  const left = width - right - 3;
  const matrix = matrixRows(state, right, Math.floor(height / 2), style);
  const rest = height - matrix.length - (matrix.length > 0 ? 1 : 0);
  const column = [...block(timelineRows(state, right, rest, style), rest), ...(matrix.length > 0 ? ["", ...matrix] : [])];
  return beside(block(streamRows(state, left, height, style), height), block(column, height), left, right, style("faint", "│"));
}

function stacked(state: ScreenState, width: number, height: number, style: Style): readonly string[] {
  if (height < 10) return state.pane === "stream" ? streamRows(state, width, height, style) : timelineRows(state, width, height, style);
  const above = Math.ceil(height * 0.55);
  return [...block(streamRows(state, width, above, style), above), ...timelineRows(state, width, height - above, style)];
}

interface Box {
  readonly title: string;
  readonly lines: readonly string[];
  /** Lines that are scrolled away above. */
  readonly scroll: number;
  /** Below the lines, always in sight. */
  readonly below: readonly string[];
  /** Left and right show others. */
  readonly isSteppable: boolean;
}

function boxRows({ title, lines, scroll, below, isSteppable }: Box, width: number, height: number, style: Style): readonly string[] {
  const room = Math.max(1, height - 2 - below.length);
  const from = Math.min(scroll, Math.max(0, lines.length - room));
  const shown = [...block(lines.slice(from, from + room), room), ...below];
  const place = lines.length > room ? ` ${from + 1}–${Math.min(lines.length, from + room)} of ${lines.length} ` : "";
  const name = lineOf(title, Math.max(1, width - 6));
  const top = `┌ ${style("title", name)} ${"─".repeat(Math.max(0, width - cellsOf(name) - 4))}`;
  const bottom = `└${isSteppable ? " ← → " : ""}${place}`;
  return [
    `${filled(top, width - 1)}┐`,
    ...shown.map((line) => `│ ${filled(line, width - 4)} │`),
    `${bottom}${"─".repeat(Math.max(0, width - bottom.length - 1))}┘`,
  ];
}

function footerRow(state: ScreenState, width: number, style: Style): string {
  const notice = state.notices.at(-1);
  const left = notice === undefined ? "" : style("warning", `! ${lineOf(notice, width)}`);
  const keys = fitting(KEYS[footerOf(state)], notice === undefined ? width : Math.ceil(width * 0.6));
  return ends(left, style("faint", ` ${keys}`), width);
}

function footerOf({ dialog, modal, outcome, waiting }: ScreenState): keyof typeof KEYS {
  if (dialog !== null && modal?.name !== "cancel") return "dialog";
  if (modal?.name === "files" || modal?.name === "file" || modal?.name === "waiting" || modal?.name === "cancel") return modal.name;
  if (modal !== null) return modal.name === "answers" ? modal.shows : "modal";
  if (outcome !== null) return "over";
  return waiting === null ? "running" : "conversing";
}

/** Keys with how much they are missed when there is no room for all; the way out and the way to help always stay. */
type Keys = readonly (readonly [text: string, weight: number])[];

function fitting(keys: Keys, width: number): string {
  const shown = [...keys];
  const text = (): string => shown.map(([key]) => key).join("  ");
  while (shown.length > 1 && cellsOf(text()) >= width) {
    const least = Math.min(...shown.map(([, weight]) => weight));
    shown.splice(
      shown.findLastIndex(([, weight]) => weight === least),
      1,
    );
  }
  return text();
}

const MODAL: Keys = [
  ["↑↓ scroll", 1],
  ["Esc close", 9],
];
const RUNNING: Keys = [
  ["? help", 8],
  ["Tab agent", 4],
  ["b answers", 5],
  ["v votes", 3],
  ["w files", 2],
  ["m tools", 1],
  ["a answer now", 6],
  ["i say", 0],
  ["q stop", 9],
];
const KEYS = {
  running: RUNNING,
  conversing: [...RUNNING.slice(0, -1), ["n next", 3], ...RUNNING.slice(-1)],
  over: [
    ["? help", 7],
    ["f answer", 8],
    ["d why", 6],
    ["b answers", 5],
    ["v votes", 4],
    ["c cost", 3],
    ["w files", 2],
    ["m tools", 1],
    ["q leave", 9],
  ],
  modal: MODAL,
  text: [...MODAL.slice(0, 1), ["← → answer", 2], ["x what it changed", 1], ...MODAL.slice(1)],
  changes: [...MODAL.slice(0, 1), ["← → answer", 2], ["x whole answer", 1], ...MODAL.slice(1)],
  cancel: [
    ["y stop", 8],
    ["Esc go on", 9],
  ],
  files: [
    ["Enter open", 8],
    ["← → agent", 2],
    ["r look again", 1],
    ["Esc close", 9],
  ],
  waiting: [
    ["Enter change", 3],
    ["x remove", 2],
    ["n another", 4],
    ["Esc close", 9],
  ],
  file: [
    ["↑↓ scroll", 1],
    ["← → file", 2],
    ["Esc files", 9],
  ],
  dialog: [
    ["the run waits for you", 1],
    ["Ctrl+C stop", 9],
  ],
} as const satisfies Readonly<Record<string, Keys>>;
