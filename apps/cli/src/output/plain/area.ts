import type { AnswerLabel, GateName } from "@massgen/contracts";
import { type AgentState, agentsOf, currentVotes, isLive, type RunState } from "@massgen/kernel";
import { cells, cut, cutStart, pad, wrap } from "../columns.js";
import { visibleLine, visibleText } from "../visible-text.js";
import type { Activities, Activity } from "./activity.js";
import { budgetInWords } from "./budget.js";
import { clockTime, type Layout } from "./layout.js";
import { counted, labelWithAuthor, listed, nameOfAgent } from "./names.js";

export interface Moment {
  readonly run: RunState;
  readonly activities: Activities;
  readonly nowMs: number;
  readonly startedMs: number;
  /** Rows the terminal has; the area never takes all of them. */
  readonly rows: number;
}

const PRESENTED_LINES = 4;

/**
 * The few rows below the facts that are redrawn in place: who does what at this moment, and where the run stands.
 * No row is wider than the terminal. Empty before the run has agents and after it has finished.
 */
export function areaRows(moment: Moment, layout: Layout): readonly string[] {
  const agents = agentsOf(moment.run);
  if (agents.length === 0 || moment.run.status !== null) return [];
  const rows = ["", ...agents.flatMap((agent) => agentRows(agent, moment, layout)), footer(moment, layout)];
  const fitting = Math.max(1, moment.rows - 2);
  return rows.length <= fitting ? rows : rows.slice(-fitting);
}

function agentRows(agent: AgentState, moment: Moment, layout: Layout): readonly string[] {
  const { paint, width, nameWidth } = layout;
  const activity = Object.hasOwn(moment.activities, agent.card.id) ? moment.activities[agent.card.id] : undefined;
  const presents = moment.run.phase === "presenting" && moment.run.decision?.winner === agent.card.id;
  const works = presents || agent.standing === "streaming" || agent.standing === "restarting";
  const time = works && activity !== undefined ? clockTime(moment.nowMs - activity.sinceMs) : "";
  const isAlone = moment.run.mode === "single";
  const state = presents ? "writes the final answer" : isAlone && works ? "answers" : standingInWords(agent, moment.run, activity);
  const head = `${time.padStart(5)}  ${pad(nameOfAgent(agent), nameWidth)}  ${state}`;
  if (!works || activity === undefined) return [paint.faint(cut(head, width - 1))];
  const progress =
    activity.pause === null ? (activity.chars > 0 ? ` · ${compact(activity.chars)} characters` : "") : ` · ${visibleLine(activity.pause)}`;
  if ((presents || isAlone) && activity.tail !== "") return [cut(head + progress, width - 1), ...tailLines(activity.tail, layout)];
  const said = cut(head + progress, width - 1);
  const room = width - 1 - cells(said) - 3;
  const tail = room >= 20 && activity.pause === null ? visibleLine(activity.tail) : "";
  return [tail === "" ? said : `${said}   ${paint.faint(cutStart(tail, room))}`];
}

function tailLines(tail: string, { width, paint }: Layout): readonly string[] {
  const lines = wrap(visibleText(tail), width - 10).filter((line) => line.trim() !== "");
  return lines.slice(-PRESENTED_LINES).map((line) => `       ${paint.faint(`│ ${line}`)}`);
}

function standingInWords(agent: AgentState, run: RunState, activity: Activity | undefined): string {
  switch (agent.standing) {
    case "streaming":
    case "restarting":
      return workInWords(agent, run);
    case "voted":
      return agent.vote === null ? "has voted" : `voted for ${labelWithAuthor(run, agent.vote.targetLabel)}`;
    case "waiting":
    case "answered":
      return activity?.gate == null
        ? agent.standing === "answered"
          ? "has answered"
          : "waits"
        : `waits: ${gateInWords(activity.gate, agent, run)}`;
    case "error":
      return `failed: ${visibleLine(agent.failure?.message ?? "")}`;
    case "timeout":
      return "out of time";
    case "abstained":
      return "abstains";
    case "stopped":
      return "is done";
    case "cancelled":
      return "stopped";
    case "completed":
      return "done";
  }
}

function workInWords(agent: AgentState, run: RunState): string {
  const shown = Object.entries(agent.seen).flatMap(([author, version]): readonly AnswerLabel[] =>
    author === agent.card.id || version === 0
      ? []
      : run.answers.filter((answer) => answer.by === author && answer.version === version).map((a) => a.label),
  );
  if (run.mode === "sequential") return `works on stage ${run.order.indexOf(agent.card.id) + 1} of ${run.order.length}`;
  if (run.mode === "decomposition" && shown.length > 0) return `works on its part, with ${listed(shown)}`;
  if (agent.kind === "vote_only") return `votes on ${listed(shown)}`;
  if (shown.length === 0) return agent.answers === 0 ? "works on its first answer" : "looks at its own answer again";
  return `weighs ${listed(shown)}${agent.round > 0 ? `, round ${agent.round + 1}` : ""}`;
}

function gateInWords(gate: GateName, agent: AgentState, run: RunState): string {
  const slow = agentsOf(run).filter((other) => isLive(other) && other.answers === 0 && other.card.id !== agent.card.id);
  const whom = listed(slow.map((other) => other.card.anon));
  switch (gate) {
    case "first_answers":
      return slow.length === 1 ? `${whom} is still on its first answer` : `${whom} are still on their first answers`;
    case "answers_under_way":
      return "others may still answer, and it only votes";
    case "fairness":
      return "it is ahead of the others";
    case "lone_self_evaluation":
      return "so far there is only its own answer";
    case "earlier_stage":
      return "the stages before it come first";
  }
}

function footer(moment: Moment, { width, paint }: Layout): string {
  const { run } = moment;
  const live = agentsOf(run).filter(isLive);
  const answered = live.filter((agent) => agent.answers > 0).length;
  const isOne = run.mode === "single" || run.mode === "refine";
  const said =
    run.mode === "voting"
      ? ` · ${counted(currentVotes(run).length, "vote")}`
      : run.mode === "decomposition"
        ? ` · ${live.filter((agent) => agent.standing === "stopped").length} done`
        : "";
  const stand = isOne ? "" : ` · ${answered} of ${live.length} have answered${said}`;
  return paint.faint(
    cut(`${clockTime(moment.nowMs - moment.startedMs).padStart(5)}  running${stand}${budgetInWords(run)} · Ctrl+C stops`, width - 1),
  );
}

const compact = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`);
