import { type CellWidth, codePointWidth } from "./cells.js";
import { type CostReport, costReport, SPENDING_PHASES, type SpendingPhase, type SpentReport } from "./cost-report.js";
import { counted, formatCost, formatCount, formatDuration } from "./format.js";
import type { Column } from "./markdown-table.js";
import { plainTable } from "./plain-table.js";
import type { RunView } from "./run-view.js";

export interface CostTextOptions {
  /** Default: one cell per character. */
  readonly cellWidth?: CellWidth;
  /** One line per round as well. Default: false. */
  readonly rounds?: boolean;
  /** How ids, models and names of tools, which are not ours, may reach the reader. Default: as they are. */
  readonly show?: (text: string) => string;
}

/**
 * What a run took, as plain text for a terminal: by agent, by phase, by tool, and on request by round. What `/cost` and
 * `massgen logs summary` print. Ends in a newline; empty before the run has agents.
 */
export function costText(view: RunView, options: CostTextOptions = {}): string {
  const { cellWidth = codePointWidth, rounds = false, show = (text: string): string => text } = options;
  const report = costReport(view);
  if (view.agents.size === 0) return "";
  const parts = [
    plainTable(HEAD("agent", "rounds"), [...agentRows(report, show), totalRow(report)], cellWidth),
    plainTable(HEAD("phase", "rounds"), phaseRows(report), cellWidth),
    ...(rounds ? [plainTable(HEAD("round", "ended as"), roundRows(report, show), cellWidth)] : []),
    ...(report.tools.total_calls === 0 ? [] : [plainTable(TOOL_HEAD, toolRows(report, show), cellWidth)]),
  ];
  const unknown = report.total.estimated_cost === null ? "unknown: the price of a model is not known, so no sum with it is.\n" : "";
  return `${parts.join("\n")}${unknown === "" ? "" : `\n${unknown}`}`;
}

const right = (title: string): Column => ({ title, align: "right" });
const HEAD = (first: string, second: string): readonly Column[] => [
  { title: first },
  ...[second, "calls", "input", "cached", "output", "cost"].map(right),
];
const TOOL_HEAD: readonly Column[] = [{ title: "tool" }, ...["calls", "failed", "time", "tokens given (est.)"].map(right)];

const spentCells = (spent: SpentReport): readonly string[] => [
  formatCount(spent.api_calls),
  formatCount(spent.input_tokens),
  spent.cache_hit_share === null ? "-" : `${Math.round(spent.cache_hit_share * 100)} %`,
  formatCount(spent.output_tokens),
  formatCost(spent.estimated_cost),
];

const agentRows = ({ agents }: CostReport, show: (text: string) => string): readonly (readonly string[])[] =>
  Object.entries(agents).map(([id, agent]) => [show(`${id} (${agent.model})`), String(agent.rounds), ...spentCells(agent)]);

const totalRow = ({ total, rounds }: CostReport): readonly string[] => ["in all", String(rounds.length), ...spentCells(total)];

const PHASE: Readonly<Record<SpendingPhase, string>> = {
  planning: "planning",
  initial_answer: "first answers",
  evaluation: "judging and voting",
  presentation: "final presentation",
  post_evaluation: "judging the result",
};

const phaseRows = ({ phases }: CostReport): readonly (readonly string[])[] =>
  SPENDING_PHASES.flatMap((phase) => {
    const spent = phases[phase];
    return spent === undefined ? [] : [[PHASE[phase], String(spent.rounds), ...spentCells(spent)]];
  });

function roundRows({ rounds }: CostReport, show: (text: string) => string): readonly (readonly string[])[] {
  const several = rounds.some(({ attempt }) => attempt > 1);
  return rounds.map((round) => {
    const name = `${several ? `attempt ${round.attempt}, ` : ""}${round.agent}, round ${round.round} (${round.kind.replaceAll("_", " ")})`;
    return [show(name), round.outcome?.replaceAll("_", " ") ?? "running", ...spentCells(round)];
  });
}

const toolRows = ({ tools }: CostReport, show: (text: string) => string): readonly (readonly string[])[] =>
  Object.entries(tools.by_tool).map(([name, tool]) => [
    show(name),
    formatCount(tool.call_count),
    formatCount(tool.failure_count),
    formatDuration(tool.total_execution_time_ms),
    formatCount(tool.total_output_chars / 4),
  ]);

/** `2 agents, 7 requests, 12,345 tokens in (40 % from caches), 678 out, $0.0123`: the same in one line. */
export function costLine(view: RunView): string {
  const { total, agents } = costReport(view);
  const cached = total.cache_hit_share === null ? "" : ` (${Math.round(total.cache_hit_share * 100)} % from caches)`;
  const cost = total.estimated_cost === null ? "cost unknown" : formatCost(total.estimated_cost);
  return [
    counted(Object.keys(agents).length, "agent"),
    counted(total.api_calls, "request"),
    `${formatCount(total.input_tokens)} tokens in${cached}`,
    `${formatCount(total.output_tokens)} out`,
    cost,
  ].join(", ");
}
