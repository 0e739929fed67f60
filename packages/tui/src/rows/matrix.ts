import { currentAnswers } from "@massgen/kernel";
import type { ScreenState } from "../state.js";
import type { Style } from "../style.js";
import { cut, filled, lineOf } from "../text.js";

const CELL = 10;

/** Who votes for whom, just now: it empties when an answer makes the votes void. Empty where nobody votes. */
export function matrixRows(state: ScreenState, width: number, height: number, style: Style): readonly string[] {
  const run = state.view.state;
  if (run.mode !== "voting" || run.order.length < 2 || height < 3) return [];
  const labels = currentAnswers(run).map(({ label }) => label);
  if (labels.length === 0) return [];
  const nameCells = Math.min(14, Math.max(6, ...run.order.map((id) => id.length)));
  const shown = labels.slice(0, Math.max(1, Math.floor((width - nameCells - 1) / CELL)));
  const head = `${style("strong", filled("Votes", nameCells))} ${shown.map((label) => filled(label, CELL)).join("")}`;
  const rows = run.order.slice(0, height - 2).map((id) => {
    const vote = run.agents[id]?.vote ?? null;
    const cells = shown.map((label) =>
      vote?.targetLabel === label ? style("good", filled("  ●", CELL)) : style("faint", filled("  ·", CELL)),
    );
    return `${filled(lineOf(id, nameCells), nameCells)} ${cells.join("")}`;
  });
  const counts = shown.map((label) => run.order.filter((id) => run.agents[id]?.vote?.targetLabel === label).length);
  const total = `${style("faint", filled("", nameCells))} ${counts.map((count) => filled(`  ${count}`, CELL)).join("")}`;
  return [head, ...rows, total].map((row) => cut(row, width));
}
