import type { CoordinationEvent } from "@massgen/contracts";
import { withChanges } from "../copy.js";
import type { RunState } from "../state.js";

type Fact = Extract<CoordinationEvent, { type: "paraphrasing_started" | "question_paraphrased" }>;

/** Who is asked for other wordings, and what they are; `state` already counts the record. */
export function foldParaphrases(state: RunState, fact: Fact): RunState {
  const known = state.paraphrasing;
  const seq = known?.seq ?? state.seq;
  const paraphrasing =
    fact.type === "paraphrasing_started"
      ? { asked: fact.agent, seq, wordings: null }
      : { asked: known?.asked ?? "", seq, wordings: fact.wordings };
  return withChanges(state, { paraphrasing });
}
