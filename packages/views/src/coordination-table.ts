import type { AgentId, Recorded } from "@massgen/contracts";
import { agentOf, agentsOf } from "@massgen/kernel";
import type { CellWidth } from "./cells.js";
import { counted } from "./format.js";
import { excerpt, oneLine } from "./preview.js";
import { emptyRunView, foldRecord, type RunView } from "./run-view.js";
import { type GridRow, renderGrid } from "./table-grid.js";
import { eventLines, LEGEND, spanText, statusText } from "./table-texts.js";

export interface CoordinationTableOptions {
  /** Columns a text takes on a terminal; Chinese, Japanese and emoji take two. */
  readonly cellWidth: CellWidth;
  readonly simulated?: boolean;
  /** What was before the first of the records. Default: nothing. */
  readonly from?: RunView;
}

const LABEL_WIDTH = 10;
const columnWidthFor = (agents: number): number => (agents <= 2 ? 60 : agents === 3 ? 40 : agents === 4 ? 30 : 25);

/**
 * `coordination_table.txt`: who did what when, one column per agent, and what the others were doing meanwhile
 * (docs/spec/logs.md 4.7). Lines are equally wide in terminal cells. An empty log gives an empty text.
 */
export function coordinationTable(
  records: Iterable<Recorded>,
  { cellWidth, simulated = false, from = emptyRunView }: CoordinationTableOptions,
): string {
  const { view, rows } = tableRows(records, from);
  if (view.state.order.length === 0) return "";
  const head: readonly GridRow[] = [
    { kind: "cells", label: "Event", cells: view.state.order.map((id) => [headingOf(view, id)]) },
    { kind: "rule" },
    { kind: "span", label: "USER", text: excerpt(view.state.question, 500) },
    { kind: "rule" },
  ];
  const grid = {
    labelWidth: LABEL_WIDTH,
    columns: view.state.order.length,
    columnWidth: columnWidthFor(view.state.order.length),
    rows: [...head, ...rows, ...closing(view)],
  };
  const title = simulated ? "Coordination table (simulated: no model was asked)" : "Coordination table";
  return `${title}\n\n${LEGEND}\n\n${renderGrid(grid, cellWidth)}\n`;
}

function tableRows(records: Iterable<Recorded>, from: RunView): { readonly view: RunView; readonly rows: readonly GridRow[] } {
  const rows: GridRow[] = [];
  let view = from;
  let count = 0;
  for (const record of records) {
    view = foldRecord(view, record);
    const span = spanText(record, view);
    if (span !== null) rows.push({ kind: "span", label: null, text: span }, { kind: "rule" });
    const event = eventLines(record);
    if (event === null) continue;
    count += 1;
    const cells = view.state.order.map((id) => (id === event.agent ? event.lines : [statusText(agentOf(view.state, id)!)]));
    rows.push({ kind: "cells", label: `E${count}`, cells }, { kind: "rule" });
  }
  return { view, rows };
}

const headingOf = (view: RunView, id: AgentId): string => `Agent ${view.state.order.indexOf(id) + 1} (${oneLine(id)})`;

function closing(view: RunView): readonly GridRow[] {
  const { state } = view;
  const votesBy = (id: AgentId): number => state.votes.filter((vote) => vote.voter === id).length;
  const agents = agentsOf(state);
  const hasVotes = state.mode !== "sequential" && state.mode !== "decomposition";
  const cells = agents.map((agent) => [
    [counted(agent.answers, "answer"), ...(hasVotes ? [counted(votesBy(agent.card.id), "vote")] : [])].join(", "),
    counted(agent.restarts, "restart"),
    agent.standing,
  ]);
  const restarts = agents.reduce((sum, agent) => sum + agent.restarts, 0);
  const totals = [
    counted(state.answers.length, "answer"),
    ...(hasVotes ? [counted(state.votes.length, "vote")] : []),
    counted(restarts, "restart"),
  ].join(", ");
  const winner = state.decision === null ? "nobody selected" : `${headingOf(view, state.decision.winner)} selected`;
  return [{ kind: "cells", label: "SUMMARY", cells }, { kind: "rule" }, { kind: "span", label: "TOTALS", text: `${totals} -> ${winner}` }];
}
