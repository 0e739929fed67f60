import { type CellWidth, padCells } from "./cells.js";
import type { Column } from "./markdown-table.js";

/** A table for a terminal: columns that line up, two blanks between them, the titles above. Ends in a newline. */
export function plainTable(columns: readonly Column[], rows: readonly (readonly string[])[], cellWidth: CellWidth): string {
  const all = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, place) => Math.max(...all.map((row) => cellWidth(row[place] ?? ""))));
  const line = (row: readonly string[]): string =>
    columns
      .map(({ align }, place) => padCells(row[place] ?? "", widths[place]!, cellWidth, align))
      .join("  ")
      .trimEnd();
  return `${all.map(line).join("\n")}\n`;
}
