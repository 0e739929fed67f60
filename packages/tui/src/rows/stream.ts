import { formatDuration, type Piece, type Stream } from "@massgen/views";
import type { ScreenState } from "../state.js";
import type { Style } from "../style.js";
import { cellsOf, cut, lineOf, linesOf } from "../text.js";
import { roundOf } from "./round.js";

/** The end of what the selected agent says, or what stands `scrolledUp` rows above it. */
export function streamRows(state: ScreenState, width: number, height: number, style: Style): readonly string[] {
  const id = state.view.state.order[state.selected];
  const stream = id === undefined ? undefined : state.streams.get(id);
  const model = id === undefined ? "" : (state.view.state.agents[id]?.card.model ?? "");
  const parts = [id ?? "no agent yet", model, id === undefined ? "" : roundOf(state, id)].filter((part) => part !== "");
  const title = style("strong", lineOf(parts.join(" · "), width));
  if (height < 2) return [title];
  const rows =
    stream === undefined ? [style("faint", "Nothing yet.")] : tailRows(stream, width, height - 1 + state.scrolledUp, style, state.unfolded);
  const end = Math.max(0, rows.length - state.scrolledUp);
  const shown = rows.slice(Math.max(0, end - (height - 1)), end);
  const more = state.scrolledUp > 0 ? style("warning", cut(` ↓ ${state.scrolledUp} rows below`, width)) : "";
  return [more === "" ? title : cut(`${title}${more}`, width), ...shown];
}

/** At least the last `count` rows of a stream, without wrapping what lies above them. */
function tailRows({ pieces, open }: Stream, width: number, count: number, style: Style, unfolded: boolean): readonly string[] {
  const groups: (readonly string[])[] = [];
  let found = 0;
  const newest: readonly (Piece | null)[] = [...pieces, open];
  for (let index = newest.length - 1; index >= 0 && found < count; index--) {
    const piece = newest[index];
    if (piece == null) continue;
    const rows = pieceRows(piece, width, count, style, unfolded);
    groups.push(rows);
    found += rows.length;
  }
  return groups.toReversed().flat();
}

function pieceRows(piece: Piece, width: number, count: number, style: Style, unfolded: boolean): readonly string[] {
  switch (piece.kind) {
    case "text":
      return lastLines(piece.text, width, count);
    case "reasoning":
      return lastLines(piece.text, width - 2, count).map((line) => style("faint", `┆ ${line}`));
    case "mark":
      return [style("faint", cut(`── ${piece.text} ${"─".repeat(Math.max(0, width - piece.text.length - 4))}`, width))];
    case "tool":
      return unfolded ? unfoldedRows(piece, width, style) : toolRows(piece, width, style);
  }
}

/** Wrapping the last characters is enough: no row takes more than four of them a cell. */
const lastLines = (text: string, width: number, count: number): readonly string[] => {
  const from = text.length - count * Math.max(1, width) * 4;
  return linesOf(from > 0 ? text.slice(from) : text, width);
};

type ToolPiece = Extract<Piece, { kind: "tool" }>;

/** A call on two lines: its name and arguments, and the beginning of what came back. */
function toolRows(piece: ToolPiece, width: number, style: Style): readonly string[] {
  const { args, result } = piece;
  const name = toolHead(piece, width, style);
  const call = isEmpty(args) ? "" : ` ${style("faint", lineOf(args, Math.max(0, width - cellsOf(name) - 1)))}`;
  const preview = result?.preview.trim() ?? "";
  return [`${name}${call}`, ...(preview === "" ? [] : [`  ${style("faint", `→ ${lineOf(preview, Math.max(0, width - 4))}`)}`])];
}

/** All that was kept of a call. */
function unfoldedRows(piece: ToolPiece, width: number, style: Style): readonly string[] {
  const { args, result } = piece;
  const part = (text: string, sign: string): readonly string[] =>
    linesOf(text.trim(), width - 4).map((line, index) => `  ${style("faint", index === 0 ? sign : " ")} ${line}`);
  return [
    toolHead(piece, width, style),
    ...(isEmpty(args) ? [] : part(args, "·")),
    ...(result === null || result.preview.trim() === "" ? [] : part(result.preview, "→")),
  ];
}

function toolHead({ name, result }: ToolPiece, width: number, style: Style): string {
  const sign = result === null ? "…" : result.ok ? "✓" : "✗";
  const time = result === null ? "" : ` ${formatDuration(result.durationMs)}`;
  return style(result?.ok === false ? "bad" : "accent", cut(`${sign} ${lineOf(name, 40)}${time}`, width));
}

const isEmpty = (args: string): boolean => args.trim() === "" || args === "{}";
