import { agentsOf, isLive, isSettled } from "../inspect.js";
import type { AgentState, RunState } from "../state.js";

/** Stages run one at a time, in configuration order. */
export const holdsForEarlierStage = (state: RunState, agent: AgentState): boolean =>
  state.mode === "sequential" &&
  agentsOf(state)
    .slice(0, state.order.indexOf(agent.card.id))
    .some((earlier) => earlier.answers === 0);

/** The first stage that ended without an answer: it stops those after it. */
export const brokenStage = (state: RunState): AgentState | undefined =>
  agentsOf(state).find((agent) => (!isLive(agent) || isSettled(agent)) && agent.answers === 0);
