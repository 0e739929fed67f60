import { type Alignment, type CellWidth, padCells } from "./cells.js";

export interface Column {
  readonly title: string;
  readonly align?: Alignment;
}

/** A Markdown table that also lines up as plain text. Cells are one line each; `|` in them is escaped. */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[], cellWidth: CellWidth): string {
  const titles = columns.map((column) => column.title);
  const cells = [titles, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = columns.map((_, place) => Math.max(3, ...cells.map((row) => cellWidth(row[place] ?? ""))));
  const line = (row: readonly string[]): string =>
    `| ${columns.map((column, place) => padCells(row[place] ?? "", widths[place]!, cellWidth, column.align)).join(" | ")} |`;
  const rule = `|${columns.map((column, place) => ruleOf(column.align ?? "left", widths[place]!)).join("|")}|`;
  const [head, ...body] = cells;
  return [line(head!), rule, ...body.map(line)].join("\n");
}

function ruleOf(align: Alignment, width: number): string {
  if (align === "left") return "-".repeat(width + 2);
  return align === "right" ? `${"-".repeat(width + 1)}:` : `:${"-".repeat(width)}:`;
}
