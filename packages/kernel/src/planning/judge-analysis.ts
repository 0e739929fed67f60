import type { CoordinationEvent } from "@massgen/contracts";
import type { Signal } from "../signal.js";
import type { RunState } from "../state.js";

type Offered<T extends Signal["type"]> = Extract<Signal, { type: T }>;

const BEGIN: CoordinationEvent = { type: "phase_changed", from: "preparing", to: "coordinating" };

/** Before the first round: the first agent is asked, or nobody. */
export function beginPreparing(agents: readonly { readonly id: string }[], planningMode: boolean): readonly CoordinationEvent[] {
  const [first] = agents;
  return planningMode && first !== undefined ? [{ type: "planning_analysis_started", agent: first.id }] : [BEGIN];
}

export function judgeAnalysis(state: RunState, signal: Offered<"analysed">): readonly CoordinationEvent[] {
  if (!isAsked(state, signal.agent)) return [];
  const { agent, irreversible, blockedTools, failure } = signal;
  return [{ type: "planning_decided", agent, irreversible, blockedTools, failure }, BEGIN];
}

/** A backend that does not work: the next agent is asked; after the last one the worst is assumed. */
export function judgeAnalysisFailure(state: RunState, signal: Offered<"analysis_failed">): readonly CoordinationEvent[] {
  if (!isAsked(state, signal.agent)) return [];
  const next = state.order[state.order.indexOf(signal.agent) + 1];
  return next === undefined ? assumeTheWorst(state, signal.message) : [{ type: "planning_analysis_started", agent: next }];
}

/** Nobody could say: every outside tool is reserved. */
export const assumeTheWorst = (state: RunState, failure: string): readonly CoordinationEvent[] =>
  state.phase === "preparing" ? [{ type: "planning_decided", agent: null, irreversible: true, blockedTools: [], failure }, BEGIN] : [];

const isAsked = ({ phase, planning }: RunState, agent: string): boolean => phase === "preparing" && planning?.analyst === agent;
