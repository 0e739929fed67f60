import type { BudgetUnit } from "@massgen/contracts";
import type { Spending } from "@massgen/kernel";
import { formatAmount } from "@massgen/views";
import type { Role, Style } from "../style.js";
import { cellsOf, filled, lineOf } from "../text.js";

/** How much of one limit is used. */
interface BudgetShare {
  /** `the run`, or the agent whose limit it is. */
  readonly whose: string;
  readonly unit: BudgetUnit;
  readonly used: number;
  readonly limit: number;
}

const BAR_CELLS = 12;

/** The limits that are set, those of the run first; limits of one round pass too quickly for a bar. */
function budgetShares({ limits, tokens, costUsd, calls, agents }: Spending): readonly BudgetShare[] {
  if (limits === null) return [];
  const ofRun = shares("the run", [
    ["tokens", tokens, limits.maxTotalTokens],
    ["cost_usd", costUsd, limits.maxTotalCostUsd],
    ["calls", calls, limits.maxLlmCalls],
  ]);
  const ofAgents = [...agents].flatMap(([id, agent]) =>
    shares(id, [
      ["tokens", agent.tokens, limits.maxAgentTokens],
      ["cost_usd", agent.costUsd, limits.maxAgentCostUsd],
    ]),
  );
  return [...ofRun, ...ofAgents];
}

const shares = (whose: string, all: readonly (readonly [unit: BudgetUnit, used: number, limit: number | null])[]): readonly BudgetShare[] =>
  all.flatMap(([unit, used, limit]) => (limit === null ? [] : [{ whose, unit, used, limit }]));

/** From 0 to 1; a limit of nothing is used up. */
const shareOf = ({ used, limit }: BudgetShare): number => (limit <= 0 ? 1 : Math.min(1, used / limit));

/** The limit that is nearest to its end, on a few cells; empty when none is set. */
export function tightestBudget(spending: Spending, style: Style): string {
  const [tightest] = budgetShares(spending).toSorted((one, other) => shareOf(other) - shareOf(one));
  if (tightest === undefined) return "";
  const share = shareOf(tightest);
  const whose = tightest.whose === "the run" ? "" : ` of ${lineOf(tightest.whose, 12)}`;
  return style(roleOf(share, spending), `budget${whose} ${Math.floor(share * 100)} %`);
}

/** A bar for every limit, with the amounts beside it. */
export function budgetRows(spending: Spending, width: number, style: Style): readonly string[] {
  const all = budgetShares(spending);
  const names = all.map(({ whose }) => lineOf(whose, 18));
  const nameCells = Math.max(0, ...names.map(cellsOf));
  return all.map((share, index) => {
    const part = shareOf(share);
    const amounts = `${formatAmount(share.used, share.unit)} of ${formatAmount(share.limit, share.unit)}`;
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
