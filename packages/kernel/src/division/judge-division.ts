import type { AgentId, CoordinationEvent } from "@massgen/contracts";
import { agentsOf } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { Signal } from "../signal.js";
import type { AgentState, RunState } from "../state.js";

type Offered<T extends Signal["type"]> = Extract<Signal, { type: T }>;

const BEGIN: CoordinationEvent = { type: "phase_changed", from: "preparing", to: "coordinating" };

/** The last step before the first round: everybody has a part, or somebody is asked to divide the work. */
export function beginCoordinating(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  const [first] = state.order;
  if (first === undefined || policy.skipCoordination || partless(state).length === 0) return [BEGIN];
  return policy.dividesWork ? [{ type: "division_started", agent: first }] : splitEvenly(state, "it was not to be asked for");
}

/** Who was given no part of a whole that is to be divided. */
const partless = (state: RunState): readonly AgentState[] =>
  state.mode === "decomposition" ? agentsOf(state).filter(({ subtask }) => subtask === null) : [];

export function judgeDivided(state: RunState, { agent, subtasks, failure }: Offered<"divided">): readonly CoordinationEvent[] {
  if (!isAsked(state, agent)) return [];
  const missing = partless(state).some(({ card }) => partIn(subtasks, card.id) === "");
  return failure !== null || missing
    ? splitEvenly(state, failure ?? "not every agent was given a part")
    : [{ type: "work_divided", agent, failure: null }, ...setParts(state, ({ card }) => partIn(subtasks, card.id))];
}

/** A backend that does not work: the next agent is asked; after the last one the parts are shares. */
export function judgeDivisionFailure(state: RunState, { agent, message }: Offered<"division_failed">): readonly CoordinationEvent[] {
  if (!isAsked(state, agent)) return [];
  const next = state.order[state.order.indexOf(agent) + 1];
  return next === undefined ? splitEvenly(state, message) : [{ type: "division_started", agent: next }];
}

/** Nobody could say where the parts are: everybody finds its share by itself. */
export function splitEvenly(state: RunState, failure: string): readonly CoordinationEvent[] {
  if (state.phase !== "preparing" || partless(state).length === 0) return [];
  return [{ type: "work_divided", agent: null, failure }, ...setParts(state, (agent) => shareOf(state, agent))];
}

const shareOf = ({ order }: RunState, { card }: AgentState): string =>
  `Share ${order.indexOf(card.id) + 1} of ${order.length}: divide the task into ${order.length} parts of about the same weight, in the order in which it names or needs them, and deliver part ${order.indexOf(card.id) + 1}.`;

/** Parts that were given stay as they are. */
const setParts = (state: RunState, partOf: (agent: AgentState) => string): readonly CoordinationEvent[] => [
  { type: "subtasks_set", subtasks: Object.fromEntries(agentsOf(state).map((agent) => [agent.card.id, agent.subtask ?? partOf(agent)])) },
  BEGIN,
];

const partIn = (subtasks: Readonly<Record<AgentId, string>>, id: AgentId): string =>
  Object.hasOwn(subtasks, id) && typeof subtasks[id] === "string" ? subtasks[id].trim() : "";

const isAsked = ({ phase, division }: RunState, agent: AgentId): boolean =>
  phase === "preparing" && division?.isDone === false && division.asked === agent;
