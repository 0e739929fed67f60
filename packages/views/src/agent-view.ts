import type { AgentCard, AgentId, EpochMillis, FailureKind, Recorded, Usage } from "@massgen/contracts";
import type { CallView } from "./calls.js";
import { appended, emptyList, type GrowList, itemsOf } from "./grow-list.js";
import { countCall, endRound, openRound, outcomeOf, type RoundView, spendInRound } from "./rounds.js";
import { addSpent } from "./spent.js";

export interface AgentFailure {
  readonly type: FailureKind | "hard" | "orchestrator";
  readonly message: string;
  readonly at: EpochMillis;
  /** False: the round was tried once more. */
  readonly fatal: boolean;
}

export const isTimeLimit = ({ type }: AgentFailure): boolean => type === "hard" || type === "orchestrator";

/** The history of one agent, beside what the kernel's state knows of it. */
export interface AgentView {
  readonly card: AgentCard;
  readonly lastActivityAt: EpochMillis | null;
  readonly usage: Usage | null;
  /** Rounds before the newest, oldest first. */
  readonly pastRounds: GrowList<RoundView>;
  readonly newestRound: RoundView | null;
  readonly failures: readonly AgentFailure[];
  /** Refused responses per round that had any. */
  readonly retriesByRound: Readonly<Record<number, number>>;
  readonly unknownTools: number;
  /** Refused answers and votes. */
  readonly workflowErrors: number;
}

const openAgent = (card: AgentCard): AgentView => ({
  card,
  lastActivityAt: null,
  usage: null,
  pastRounds: emptyList,
  newestRound: null,
  failures: [],
  retriesByRound: {},
  unknownTools: 0,
  workflowErrors: 0,
});

export const roundsOf = (agent: AgentView): readonly RoundView[] =>
  agent.newestRound === null ? itemsOf(agent.pastRounds) : [...itemsOf(agent.pastRounds), agent.newestRound];

/** Written out, as in `run-view.ts`. */
const copyOf = (agent: AgentView, lastActivityAt: EpochMillis): AgentView => ({
  card: agent.card,
  lastActivityAt,
  usage: agent.usage,
  pastRounds: agent.pastRounds,
  newestRound: agent.newestRound,
  failures: agent.failures,
  retriesByRound: agent.retriesByRound,
  unknownTools: agent.unknownTools,
  workflowErrors: agent.workflowErrors,
});

function foldAgent(agent: AgentView, record: Recorded, finished: CallView | null): AgentView {
  const active = copyOf(agent, record.at);
  switch (record.type) {
    case "round_started":
      return beginRound(active, openRound(record.agent, record.round, record.kind, record.at));
    case "presentation_started":
      return beginRound(active, openRound(record.agent, record.round, "presentation", record.at));
    case "post_evaluation_started":
      return beginRound(active, openRound(record.agent, record.round, "post_evaluation", record.at));
    case "answer_rejected":
    case "vote_rejected":
    case "enforcement_retry":
      return countRefusal(active, record);
    case "usage_recorded":
      return changeRound(
        { ...active, usage: active.usage === null ? record.usage : addSpent(active.usage, record.usage) },
        record.round,
        (round) => spendInRound(round, record.usage),
      );
    case "tool_complete":
      return changeRound(active, record.round, (round) => ({ ...round, toolCalls: round.toolCalls + 1 }));
    case "llm_call":
      return finished === null ? active : changeRound(active, record.round, (round) => countCall(round, finished));
    case "vote_ignored":
      return changeRound(active, record.round, (round) => ({ ...round, voteIgnored: true }));
    case "agent_failed":
      return finishRound(
        { ...active, failures: [...agent.failures, { type: record.kind, message: record.message, at: record.at, fatal: record.fatal }] },
        record,
      );
    case "agent_timeout":
      return finishRound(
        { ...active, failures: [...agent.failures, { type: record.limit, message: TIMEOUT[record.limit], at: record.at, fatal: true }] },
        record,
      );
    default:
      return finishRound(active, record);
  }
}

const TIMEOUT = {
  hard: "it went on calling refused tools after the hard limit of its round",
  orchestrator: "it was not done when the orchestrator's time limit passed",
} as const;

/** Folds a fact into the histories of the agents it names. */
export function foldAgents(
  agents: ReadonlyMap<AgentId, AgentView>,
  record: Recorded,
  finished: CallView | null,
): ReadonlyMap<AgentId, AgentView> {
  if (record.type === "run_started") return new Map(record.agents.map((card) => [card.id, openAgent(card)]));
  if (record.type === "vote_invalidated")
    return new Map([...agents].map(([id, agent]) => [id, record.voters.includes(id) ? voidVote(agent) : agent]));
  if (record.type === "attempt_restarted") return new Map([...agents].map(([id, agent]) => [id, startOver(agent)]));
  const id = agentIn(record);
  const agent = id === null ? undefined : agents.get(id);
  return id === null || agent === undefined ? agents : new Map(agents).set(id, foldAgent(agent, record, finished));
}

/** What was spent is spent; everything else is of the attempt. */
const startOver = ({ card, lastActivityAt, usage }: AgentView): AgentView => ({ ...openAgent(card), lastActivityAt, usage });

/** The vote of the newest round became void. */
const voidVote = (agent: AgentView): AgentView =>
  agent.newestRound?.outcome === "vote" ? { ...agent, newestRound: { ...agent.newestRound, voteVoided: true } } : agent;

/** A conversation that was left without an action was started over. */
function beginRound(agent: AgentView, round: RoundView): AgentView {
  if (agent.newestRound === null) return { ...agent, newestRound: round };
  return {
    ...agent,
    pastRounds: appended(agent.pastRounds, endRound(agent.newestRound, "restarted", round.startedAt)),
    newestRound: round,
  };
}

function finishRound(agent: AgentView, record: Recorded): AgentView {
  const outcome = outcomeOf(record);
  return outcome === null || agent.newestRound === null
    ? agent
    : { ...agent, newestRound: endRound(agent.newestRound, outcome, record.at) };
}

/** Facts about a round nearly always concern the newest one; a late one finds its round by number. */
function changeRound(agent: AgentView, number: number, change: (round: RoundView) => RoundView): AgentView {
  const { newestRound } = agent;
  if (newestRound === null) return agent;
  if (newestRound.round === number) return { ...agent, newestRound: change(newestRound) };
  const past = itemsOf(agent.pastRounds);
  const place = past.findLastIndex((round) => round.round === number);
  const found = past[place];
  if (found === undefined) return agent;
  const changed = past.with(place, change(found));
  return { ...agent, pastRounds: { length: changed.length, shared: changed } };
}

function countRefusal(
  agent: AgentView,
  record: Extract<Recorded, { type: "answer_rejected" | "vote_rejected" | "enforcement_retry" }>,
): AgentView {
  const { round, type, code } = record;
  return {
    ...agent,
    retriesByRound: { ...agent.retriesByRound, [round]: (agent.retriesByRound[round] ?? 0) + 1 },
    unknownTools: agent.unknownTools + (code === "unknown_tool" ? 1 : 0),
    workflowErrors: agent.workflowErrors + (type === "enforcement_retry" ? 0 : 1),
  };
}

/** Whom a fact is about, as far as it is about one agent. */
function agentIn(record: Recorded): AgentId | null {
  if (record.type === "winner_selected") return record.winner;
  if (record.type === "restart_triggered") return record.by;
  return "agent" in record ? record.agent : null;
}
