import { type CellWidth, padCells } from "./cells.js";

/** A row with one cell of one or more lines per agent, a row across all of them, or a rule. */
export type GridRow =
  | { readonly kind: "cells"; readonly label: string; readonly cells: readonly (readonly string[])[] }
  | { readonly kind: "span"; readonly label: string | null; readonly text: string }
  | { readonly kind: "rule" };

export interface Grid {
  readonly labelWidth: number;
  readonly columns: number;
  readonly columnWidth: number;
  readonly rows: readonly GridRow[];
}

/** The grid as text, every line equally wide in terminal cells. */
export function renderGrid({ labelWidth, columns, columnWidth, rows }: Grid, cellWidth: CellWidth): string {
  const inner = columns * (columnWidth + 1) - 1;
  // One blank on each side keeps a cut text off its border; a text that just fits may touch it.
  const pad = (text: string, width: number): string =>
    cellWidth(text) <= width ? padCells(text, width, cellWidth, "center") : ` ${padCells(text, width - 2, cellWidth, "center")} `;
  const edge = `+${"-".repeat(labelWidth)}+${`${"-".repeat(columnWidth)}+`.repeat(columns)}`;
  const rule = `|${"-".repeat(labelWidth)}+${"-".repeat(columnWidth)}${`+${"-".repeat(columnWidth)}`.repeat(columns - 1)}|`;

  const linesOf = (row: GridRow): readonly string[] => {
    if (row.kind === "rule") return [rule];
    if (row.kind === "span") {
      const text = row.label === null ? pad(row.text, labelWidth + 1 + inner) : `${pad(row.label, labelWidth)}|${pad(row.text, inner)}`;
      return [`|${text}|`];
    }
    const height = Math.max(1, ...row.cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) => {
      const cells = row.cells.map((cell) => pad(cell[line] ?? "", columnWidth));
      return `|${pad(line === 0 ? row.label : "", labelWidth)}|${cells.join("|")}|`;
    });
  };
  return [edge, ...rows.flatMap(linesOf), edge].join("\n");
}
