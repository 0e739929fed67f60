import type { CoordinationEvent } from "@massgen/contracts";
import type { RunState } from "../state.js";

type Fact = Extract<CoordinationEvent, { type: "paraphrasing_started" | "question_paraphrased" }>;

/** Who is asked for other wordings, and what they are; `state` already counts the record. */
export function foldParaphrases(state: RunState, fact: Fact): RunState {
  const known = state.paraphrasing;
  const seq = known?.seq ?? state.seq;
  return fact.type === "paraphrasing_started"
    ? { ...state, paraphrasing: { asked: fact.agent, seq, wordings: null } }
    : { ...state, paraphrasing: { asked: known?.asked ?? "", seq, wordings: fact.wordings } };
}
