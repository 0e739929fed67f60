import type { CoordinationEvent } from "@massgen/contracts";
import { beginParaphrasing } from "../paraphrases/judge-paraphrases.js";
import type { Policy } from "../policy.js";
import type { Signal } from "../signal.js";
import type { RunState } from "../state.js";
import { isAnalysisDue } from "./planning-mode.js";

type Offered<T extends Signal["type"]> = Extract<Signal, { type: T }>;

/** Before the first round: the first agent is asked what cannot be undone, or nobody. */
export function beginPreparing(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  const [first] = state.order;
  return policy.planningMode && first !== undefined
    ? [{ type: "planning_analysis_started", agent: first }]
    : beginParaphrasing(state, policy);
}

export function judgeAnalysis(state: RunState, signal: Offered<"analysed">, policy: Policy): readonly CoordinationEvent[] {
  if (!isAsked(state, signal.agent)) return [];
  const { agent, irreversible, blockedTools, failure } = signal;
  return [{ type: "planning_decided", agent, irreversible, blockedTools, failure }, ...beginParaphrasing(state, policy)];
}

/** A backend that does not work: the next agent is asked; after the last one the worst is assumed. */
export function judgeAnalysisFailure(state: RunState, signal: Offered<"analysis_failed">, policy: Policy): readonly CoordinationEvent[] {
  if (!isAsked(state, signal.agent)) return [];
  const next = state.order[state.order.indexOf(signal.agent) + 1];
  return next === undefined ? assumeTheWorst(state, signal.message, policy) : [{ type: "planning_analysis_started", agent: next }];
}

/** Nobody could say: every outside tool is reserved. */
export const assumeTheWorst = (state: RunState, failure: string, policy: Policy): readonly CoordinationEvent[] =>
  isAnalysisDue(state)
    ? [{ type: "planning_decided", agent: null, irreversible: true, blockedTools: [], failure }, ...beginParaphrasing(state, policy)]
    : [];

const isAsked = (state: RunState, agent: string): boolean => isAnalysisDue(state) && state.planning?.analyst === agent;
