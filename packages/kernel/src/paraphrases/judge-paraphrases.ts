import type { AgentId, CoordinationEvent } from "@massgen/contracts";
import { beginCoordinating } from "../division/judge-division.js";
import type { Policy } from "../policy.js";
import type { Signal } from "../signal.js";
import type { RunState } from "../state.js";

type Offered<T extends Signal["type"]> = Extract<Signal, { type: T }>;

/** Milliseconds other wordings of the question may take, whoever is asked. */
export const PARAPHRASES_MS = 120_000;

/** After the question of planning mode: the first agent is asked for other wordings of the question, where they are wanted. */
export function beginParaphrasing(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  const [first] = state.order;
  return policy.paraphrases > 0 && !policy.skipCoordination && state.paraphrasing === null && first !== undefined
    ? [{ type: "paraphrasing_started", agent: first }]
    : beginCoordinating(state, policy);
}

/** Wordings that say nothing, or nothing new, are no wordings; more than were asked for are not used. */
export function judgeParaphrased(state: RunState, signal: Offered<"paraphrased">, policy: Policy): readonly CoordinationEvent[] {
  if (!isAsked(state, signal.agent)) return [];
  const known = new Set([state.question.trim()]);
  const wordings = signal.wordings.map((wording) => wording.trim()).filter((wording) => wording !== "" && !known.has(wording));
  const distinct = [...new Set(wordings)].slice(0, policy.paraphrases);
  if (signal.failure !== null || distinct.length === 0) return keepOriginal(state, signal.failure ?? "no other wording came", policy);
  return [{ type: "question_paraphrased", agent: signal.agent, wordings: distinct, failure: null }, ...beginCoordinating(state, policy)];
}

/** A backend that does not work: the next agent is asked; after the last one everybody gets the question alone. */
export function judgeParaphrasingFailure(
  state: RunState,
  { agent, message }: Offered<"paraphrasing_failed">,
  policy: Policy,
): readonly CoordinationEvent[] {
  if (!isAsked(state, agent)) return [];
  const next = state.order[state.order.indexOf(agent) + 1];
  return next === undefined ? keepOriginal(state, message, policy) : [{ type: "paraphrasing_started", agent: next }];
}

export const keepOriginal = (state: RunState, failure: string, policy: Policy): readonly CoordinationEvent[] =>
  isParaphraseDue(state) ? [{ type: "question_paraphrased", agent: null, wordings: [], failure }, ...beginCoordinating(state, policy)] : [];

/** The run waits for other wordings of its question. */
export const isParaphraseDue = ({ phase, paraphrasing }: RunState): boolean => phase === "preparing" && paraphrasing?.wordings === null;

const isAsked = (state: RunState, agent: AgentId): boolean => isParaphraseDue(state) && state.paraphrasing?.asked === agent;
