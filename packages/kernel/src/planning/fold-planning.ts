import type { PlanningFact } from "@massgen/contracts";
import { withChanges } from "../copy.js";
import type { RunState } from "../state.js";

/** What the facts about planning mode change; `state` already counts the record. */
export function foldPlanning(state: RunState, fact: PlanningFact): RunState {
  const known = state.planning;
  if (fact.type === "planning_analysis_started")
    return withChanges(state, { planning: { analyst: fact.agent, seq: known?.seq ?? state.seq, verdict: null } });
  const { irreversible, blockedTools } = fact;
  return withChanges(state, {
    planning: { analyst: known?.analyst ?? "", seq: known?.seq ?? state.seq, verdict: { irreversible, blockedTools } },
  });
}
