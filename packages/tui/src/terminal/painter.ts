import { filled } from "../text.js";
import { cellsOfRow, type RowCells, rowChanges } from "./row-changes.js";
import type { TuiTerminal } from "./terminal.js";

/** Writes frames: only what changed, inside one synchronised update, so that nothing flickers. */
export interface Painter {
  paint(rows: readonly string[], columns: number): void;
  /** The next frame writes every row, in place: the window has another size, or something else wrote on it. */
  forget(): void;
}

const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";

interface Shown {
  readonly row: string;
  readonly cells: RowCells;
}

export function createPainter(terminal: Pick<TuiTerminal, "write">): Painter {
  let last: readonly Shown[] = [];
  return {
    paint(rows, columns) {
      let written = "";
      last = rows.map((row, index) => {
        const shown = last[index];
        if (shown?.row === row) return shown;
        // Filled to the edge: of a whole row terminals would erase the last cell.
        const full = filled(row, columns);
        const cells = cellsOfRow(full);
        const before = shown?.cells ?? null;
        written +=
          cells === null || before?.length !== cells.length
            ? `\u001b[${index + 1};1H${full}\u001b[0m`
            : rowChanges(index + 1, before, cells);
        return { row, cells };
      });
      if (written !== "") terminal.write(BEGIN + written + END);
    },
    forget() {
      last = [];
    },
  };
}
