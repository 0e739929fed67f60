import type { GateName } from "@massgen/contracts";
import { holdsForEarlierStage } from "../modes/sequential.js";
import type { Policy } from "../policy.js";
import type { AgentState, RunState } from "../state.js";
import { holdsForAnswersUnderWay } from "./answers-under-way.js";
import { holdsForFairness } from "./fairness.js";
import { holdsForFirstAnswers } from "./first-answers.js";
import { holdsForLoneSelfEvaluation } from "./lone-self-evaluation.js";

/** In the order in which the liveness rule drops them. */
export const GATES: readonly GateName[] = ["fairness", "first_answers", "answers_under_way", "lone_self_evaluation", "earlier_stage"];

const HOLDS: Readonly<Record<GateName, (state: RunState, agent: AgentState, policy: Policy) => boolean>> = {
  fairness: holdsForFairness,
  first_answers: holdsForFirstAnswers,
  answers_under_way: holdsForAnswersUnderWay,
  lone_self_evaluation: holdsForLoneSelfEvaluation,
  earlier_stage: holdsForEarlierStage,
};

/** The gates that keep an idle agent from starting its next round; empty when it may start. */
export const holdingGates = (state: RunState, agent: AgentState, policy: Policy): readonly GateName[] =>
  GATES.filter((gate) => HOLDS[gate](state, agent, policy));

/** The first of them; `null` when it may start. */
export const firstGate = (state: RunState, agent: AgentState, policy: Policy): GateName | null =>
  GATES.find((gate) => HOLDS[gate](state, agent, policy)) ?? null;
