import { cells } from "../columns.js";

const SYNCHRONIZED = ["\u001b[?2026h", "\u001b[?2026l"] as const;

/**
 * Rows at the bottom of a terminal that are drawn again in place, below everything that was written for good.
 *
 * Needs no state of the terminal (no hidden cursor, no alternate screen), so a killed process leaves it as it was.
 * After each write the cursor stands at the beginning of the line below the rows.
 */
export interface Redraw {
  /** Writes `lines` for good and the rows below them anew. `columns` may have changed since the last time. */
  readonly write: (lines: readonly string[], rows: readonly string[], columns: number) => void;
  /** Takes the rows away. */
  readonly erase: (columns: number) => void;
}

export function createRedraw(put: (text: string) => void): Redraw {
  let drawn: readonly string[] = [];
  const erasing = (columns: number): string => {
    // A terminal that became narrower has broken our rows into several.
    const height = drawn.reduce((sum, row) => sum + Math.max(1, Math.ceil(cells(row) / Math.max(1, columns))), 0);
    return height === 0 ? "" : `\u001b[${height}A\r\u001b[J`;
  };
  const write = (lines: readonly string[], rows: readonly string[], columns: number): void => {
    if (lines.length === 0 && sameRows(rows, drawn)) return;
    const text = erasing(columns) + [...lines, ...rows].map((line) => `${line}\n`).join("");
    drawn = rows;
    if (text !== "") put(SYNCHRONIZED[0] + text + SYNCHRONIZED[1]);
  };
  return { write, erase: (columns) => write([], [], columns) };
}

const sameRows = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((row, index) => row === b[index]);
