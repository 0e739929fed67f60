import type { Spending } from "@massgen/kernel";
import { formatCost, formatDuration } from "@massgen/views";
import { waitingChip } from "../prompt/waiting.js";
import type { ScreenState } from "../state.js";
import type { Style } from "../style.js";
import { cellsOf, ends, filled, lineOf } from "../text.js";
import { barOf, tightestBudget } from "./budget.js";

const BAR_CELLS = 12;

/** Two rows: what is asked, for how long and for how much; how far it has come. */
export function headerRows(state: ScreenState, width: number, style: Style): readonly string[] {
  const { view, nowMs, startedMs, question, simulated } = state;
  const { spent } = view.state;
  const clock = formatDuration(Math.max(0, nowMs - startedMs));
  const name = simulated ? "massgen · simulated" : "massgen";
  const right = style("strong", ` ${clock} · ${spent.costUsd === null ? "cost unknown" : formatCost(spent.costUsd)}`);
  const left = `${style(simulated ? "warning" : "title", name)} ${style("plain", lineOf(question, width))}`;
  return [ends(left, right, width), progressRow(state, width, style)];
}

function progressRow(screen: ScreenState, width: number, style: Style): string {
  const { view, isStopping, isAnsweringNow, outcome } = screen;
  const { state } = view;
  const done = outcome === null ? view.completion : 100;
  const bar = barOf(done / 100, BAR_CELLS, "accent", style);
  const votes = state.order.filter((id) => state.agents[id]?.vote !== null && state.agents[id]?.vote !== undefined).length;
  const parts = [
    `${PHASES[state.phase]}`,
    `${state.answers.length} ${state.answers.length === 1 ? "answer" : "answers"}`,
    ...(state.mode === "voting" ? [`${votes} of ${state.order.length} votes`] : []),
    ...budget(state.spending, style),
  ];
  const now = isStopping ? style("warning", "  stopping, saving what is there") : isAnsweringNow ? style("accent", "  answering now") : "";
  const left = `${bar} ${String(Math.round(done)).padStart(3)} %  ${parts.join(" · ")}${now}`;
  const next = waitingChip(screen, width - cellsOf(left), style);
  return next === "" ? filled(left, width) : ends(left, next, width);
}

function budget(spending: Spending, style: Style): readonly string[] {
  if (spending.isUsedUp) return [style("bad", "budget used up")];
  const tightest = tightestBudget(spending, style);
  return tightest === "" ? [] : [tightest];
}

const PHASES = {
  idle: "beginning",
  preparing: "preparing",
  coordinating: "working",
  presenting: "final answer",
  evaluating: "judging the answer",
  finished: "done",
} as const;
