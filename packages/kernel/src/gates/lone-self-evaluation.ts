import { currentAnswers } from "../inspect.js";
import type { AgentState, RunState } from "../state.js";
import { onFirstAnswer } from "./first-answers.js";

/** A round in which the only visible answer is its own is a wasted call while a peer's first answer is on its way. */
export const holdsForLoneSelfEvaluation = (state: RunState, agent: AgentState): boolean =>
  agent.answers > 0 && currentAnswers(state).every((answer) => answer.by === agent.card.id) && onFirstAnswer(state).length > 0;
