import type { AgentId } from "@massgen/contracts";
import type { AgentState } from "@massgen/kernel";
import { type AgentActivity, agentActivity, formatCost, formatCount } from "@massgen/views";
import type { ScreenState } from "../state.js";
import type { Role, Style } from "../style.js";
import { cellsOf, filled, lineOf } from "../text.js";
import { roundOf } from "./round.js";

/** One row an agent: who, what it does, what it has said, whom it votes for, what it has cost and for how long it is at it. */
export function agentRows(state: ScreenState, width: number, height: number, style: Style): readonly string[] {
  const { order } = state.view.state;
  const nameCells = Math.min(18, Math.max(6, ...order.map((id) => cellsOf(lineOf(id, 40)))));
  const first = Math.max(0, Math.min(state.selected - Math.floor(height / 2), order.length - height));
  return order.slice(first, first + height).map((id, index) => agentRow(state, id, first + index, { width, nameCells, style }));
}

interface RowSetting {
  readonly width: number;
  readonly nameCells: number;
  readonly style: Style;
}

function agentRow(state: ScreenState, id: AgentId, index: number, { width, nameCells, style }: RowSetting): string {
  const agent = state.view.state.agents[id];
  if (agent === undefined) return "";
  const isSelected = index === state.selected;
  const [mark, word, role] = doing(state, id);
  const name = filled(lineOf(id, nameCells), nameCells);
  const cells = [
    `${isSelected ? "▸" : " "} ${style(isSelected ? "strong" : "plain", name)}`,
    style(role, filled(`${mark} ${word}`, 14)),
    filled(answerOf(state, id), 9),
    filled(voteOf(state, agent), 12),
    ...(width >= 78 ? [style("faint", filled(tokensOf(state, id), 12))] : []),
    ...(width >= 92 ? [style("faint", filled(costOf(state, id), 9))] : []),
    ...(width >= 112 ? [style("faint", filled(lineOf(roundOf(state, id), 20), 20))] : []),
    ...(width >= 124 ? [style("faint", lineOf(`${agent.card.model}`, width - 114))] : []),
  ];
  return filled(cells.join(" "), width);
}

/** A mark, a word and a colour: any one of them is enough to know. */
function doing(state: ScreenState, id: AgentId): readonly [mark: string, word: string, role: Role] {
  const activity = agentActivity(state, id);
  return activity.is === "using_tool" ? ["●", lineOf(activity.tool, 12), "accent"] : ACTIVITIES[activity.is];
}

const ACTIVITIES: Readonly<Record<Exclude<AgentActivity["is"], "using_tool">, readonly [string, string, Role]>> = {
  winner: ["★", "winner", "good"],
  presenting: ["★", "presenting", "good"],
  thinking: ["●", "thinking", "accent"],
  answering: ["●", "answering", "accent"],
  voting: ["●", "voting", "accent"],
  judging: ["●", "judging", "accent"],
  waiting: ["○", "waiting", "faint"],
  answered: ["✓", "answered", "plain"],
  voted: ["✓", "voted", "good"],
  stopped: ["✓", "stopped", "good"],
  abstained: ["–", "abstained", "warning"],
  restarting: ["↻", "looks again", "accent"],
  error: ["✗", "failed", "bad"],
  timeout: ["✗", "too late", "bad"],
  cancelled: ["–", "cancelled", "faint"],
  completed: ["✓", "done", "plain"],
};

/** The newest label, and how many there were. */
function answerOf({ view }: ScreenState, id: AgentId): string {
  const label = view.state.answers.findLast((answer) => answer.by === id)?.label;
  return label === undefined ? "no answer" : label;
}

function voteOf({ view }: ScreenState, { vote }: AgentState): string {
  if (vote !== null) return `→ ${vote.targetLabel}`;
  return view.state.decision === null || view.state.mode !== "voting" ? "" : "no vote";
}

function tokensOf({ view }: ScreenState, id: AgentId): string {
  const usage = view.agents.get(id)?.usage;
  return usage == null ? "" : `${formatCount(usage.inputTokens + usage.outputTokens)} tok`;
}

function costOf({ view }: ScreenState, id: AgentId): string {
  const cost = view.agents.get(id)?.usage?.costUsd;
  return cost == null ? "" : formatCost(cost);
}
