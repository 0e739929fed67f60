import { narrowCells } from "../text.js";

/** The cells of a row, each with the colours it has; `null` where a character may take more than one, or none. */
export type RowCells = readonly string[] | null;

const RESET = "\u001b[0m";
/** So many cells that are the same cost less than going to the next one that is not. */
const GAP = 8;

export function cellsOfRow(row: string): RowCells {
  if (narrowCells(row) === null) return null;
  const cells: string[] = [];
  let colours = "";
  for (let at = 0; at < row.length; at++) {
    if (row[at] !== "\u001b") {
      cells.push(colours + row[at]);
      continue;
    }
    const end = row.indexOf("m", at);
    const code = row.slice(at, end + 1);
    colours = code === RESET || code === "\u001b[m" ? "" : colours + code;
    at = end;
  }
  return cells;
}

/** What turns the row that is there into another of as many cells: only the cells that differ are written. */
export function rowChanges(line: number, before: readonly string[], after: readonly string[]): string {
  let written = "";
  for (let from = 0; from < after.length; ) {
    if (before[from] === after[from]) {
      from += 1;
      continue;
    }
    let to = from + 1;
    for (let same = 0, at = to; at < after.length && same < GAP; at++) {
      same = before[at] === after[at] ? same + 1 : 0;
      if (same === 0) to = at + 1;
    }
    written += `\u001b[${line};${from + 1}H${spanOf(after, from, to)}`;
    from = to;
  }
  return written;
}

/** Cells in a row, each colour said once; blanks up to the edge are erased in place of being written. */
function spanOf(cells: readonly string[], from: number, to: number): string {
  const end = Math.max(from, cells.findLastIndex((cell) => cell !== " ") + 1);
  const isErased = to - end > 3;
  let text = "";
  let colours = "";
  for (let at = from; at < (isErased ? end : to); at++) {
    const cell = cells[at] ?? " ";
    const own = cell.slice(0, cell.length - 1);
    if (own !== colours) text += (colours === "" ? "" : RESET) + own;
    colours = own;
    text += cell.slice(-1);
  }
  if (colours !== "") text += RESET;
  return isErased ? `${text}\u001b[K` : text;
}
