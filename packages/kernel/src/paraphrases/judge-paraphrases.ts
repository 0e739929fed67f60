import type { AgentId, CoordinationEvent } from "@massgen/contracts";
import { beginCoordinating } from "../division/judge-division.js";
import type { Policy } from "../policy.js";
import type { Sameness, Signal } from "../signal.js";
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

/**
 * Wordings that say nothing, or nothing new, are no wordings, and those that ask for something else are dropped; more than
 * were asked for are not used.
 */
export function judgeParaphrased(state: RunState, signal: Offered<"paraphrased">, policy: Policy): readonly CoordinationEvent[] {
  if (!isAsked(state, signal.agent)) return [];
  const known = new Set([state.question.trim()]);
  const usable = new Map(
    signal.wordings.map(({ text, sameness }) => [text.trim(), sameness] as const).filter(([text]) => text !== "" && !known.has(text)),
  );
  const dropped = [...usable].filter(([, sameness]) => !isLikeQuestion(sameness, policy)).map(([text]) => text);
  const wordings = [...usable.keys()].filter((text) => !dropped.includes(text)).slice(0, policy.paraphrases);
  if (signal.failure !== null || wordings.length === 0) {
    const why = dropped.length > 0 ? "every other wording asked for something else" : "no other wording came";
    return keepOriginal(state, signal.failure ?? why, policy, dropped);
  }
  return [...paraphrased(signal.agent, wordings, dropped, null), ...beginCoordinating(state, policy)];
}

const isLikeQuestion = (sameness: Sameness | null, { paraphraseThreshold }: Policy): boolean =>
  paraphraseThreshold === null || (sameness?.isSame === true && sameness.confidence >= paraphraseThreshold);

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

export const keepOriginal = (
  state: RunState,
  failure: string,
  policy: Policy,
  dropped: readonly string[] = [],
): readonly CoordinationEvent[] =>
  isParaphraseDue(state) ? [...paraphrased(null, [], dropped, failure), ...beginCoordinating(state, policy)] : [];

const paraphrased = (
  agent: AgentId | null,
  wordings: readonly string[],
  dropped: readonly string[],
  failure: string | null,
): readonly CoordinationEvent[] => [{ type: "question_paraphrased", agent, wordings, dropped, failure }];

/** The run waits for other wordings of its question. */
export const isParaphraseDue = ({ phase, paraphrasing }: RunState): boolean => phase === "preparing" && paraphrasing?.wordings === null;

const isAsked = (state: RunState, agent: AgentId): boolean => isParaphraseDue(state) && state.paraphrasing?.asked === agent;
