import type { CoordinationEvent } from "@massgen/contracts";
import { onFirstAnswer } from "./gates/first-answers.js";
import { agentsOf } from "./inspect.js";
import type { Signal } from "./signal.js";
import type { RunState } from "./state.js";

/** Somebody wants the result: running rounds are asked to wrap up at once. Asking twice changes nothing. */
export function judgeAnswerNow(
  state: RunState,
  { reason }: Extract<Signal, { type: "answer_now_requested" }>,
): readonly CoordinationEvent[] {
  if (state.phase !== "coordinating" || state.answerNow) return [];
  const running = agentsOf(state).filter((agent) => agent.standing === "streaming");
  return [{ type: "answer_now_requested", reason, agents: running.map((agent) => agent.card.id) }];
}

/** Once nobody is on its first answer any more, nobody may improve on what there is. */
export const closeAnswers = (state: RunState): readonly CoordinationEvent[] =>
  state.answerNow && !state.answersClosed && state.mode !== "single" && state.mode !== "sequential" && onFirstAnswer(state).length === 0
    ? [{ type: "answers_closed", because: "answer_now" }]
    : [];
