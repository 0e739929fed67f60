import type { CoordinationEvent } from "@massgen/contracts";
import { withChanges } from "../copy.js";
import type { RunState } from "../state.js";

type Fact = Extract<CoordinationEvent, { type: "division_started" | "work_divided" }>;

/** Whom the work is to be divided by; `state` already counts the record. */
export function foldDivision(state: RunState, fact: Fact): RunState {
  const seq = state.division?.seq ?? state.seq;
  const isDone = fact.type === "work_divided";
  return withChanges(state, { division: { asked: fact.agent ?? state.division?.asked ?? "", seq, isDone } });
}
