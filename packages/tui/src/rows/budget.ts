import type { Spending } from "@massgen/kernel";
import { budgetShares, formatAmount } from "@massgen/views";
import type { Role, Style } from "../style.js";
import { cellsOf, filled, lineOf } from "../text.js";

const BAR_CELLS = 12;

/** The limit that is nearest to its end, on a few cells; empty when none is set. */
export function tightestBudget(spending: Spending, style: Style): string {
  const [tightest] = budgetShares(spending).toSorted((one, other) => other.share - one.share);
  if (tightest === undefined) return "";
  const { share, agent } = tightest;
  const whose = agent === null ? "" : ` of ${lineOf(agent, 12)}`;
  return style(roleOf(share, spending), `budget${whose} ${Math.floor(share * 100)} %`);
}

/** A bar for every limit, with the amounts beside it. */
export function budgetRows(spending: Spending, width: number, style: Style): readonly string[] {
  const all = budgetShares(spending);
  const names = all.map(({ agent }) => lineOf(agent ?? "the run", 18));
  const nameCells = Math.max(0, ...names.map(cellsOf));
  return all.map(({ share: part, used, limit, unit }, index) => {
    const amounts = `${formatAmount(used, unit)} of ${formatAmount(limit, unit)}`;
    const percent = `${Math.floor(part * 100)} %`.padStart(5);
    return filled(
      `${filled(names[index] ?? "", nameCells)} ${barOf(part, BAR_CELLS, roleOf(part, spending), style)} ${percent}  ${amounts}`,
      width,
    );
  });
}

/** A row of `cells` blocks, filled from the left. */
export function barOf(share: number, cells: number, role: Role, style: Style): string {
  const full = Math.round(share * cells);
  return style(role, "█".repeat(full)) + style("faint", "░".repeat(cells - full));
}

const roleOf = (share: number, { limits }: Spending): Role => (share >= 1 ? "bad" : share >= (limits?.warnAt ?? 1) ? "warning" : "accent");
