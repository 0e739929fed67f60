import { filled } from "../text.js";
import type { TuiTerminal } from "./terminal.js";

/** Writes frames: only rows that changed, inside one synchronised update, so that nothing flickers. */
export interface Painter {
  paint(rows: readonly string[], columns: number): void;
  /** The next frame writes every row, in place: the window has another size, or something else wrote on it. */
  forget(): void;
}

const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";

export function createPainter(terminal: Pick<TuiTerminal, "write">): Painter {
  let last: readonly string[] = [];
  return {
    paint(rows, columns) {
      // Filled to the edge and not erased behind: there, terminals would erase the last cell.
      const changed = rows.flatMap((row, index) => (last[index] === row ? [] : [`\u001b[${index + 1};1H${filled(row, columns)}\u001b[0m`]));
      last = rows;
      if (changed.length > 0) terminal.write(BEGIN + changed.join("") + END);
    },
    forget() {
      last = [];
    },
  };
}
