import type { CoordinationEvent, RoundKind } from "@massgen/contracts";
import { callableTools, isCapped } from "./caps.js";
import { currentAnswers, epochOf } from "./inspect.js";
import type { Policy } from "./policy.js";
import type { AgentState, RunState } from "./state.js";

/** A fresh conversation with the answers there are. The same round number again only after a crash. */
export function beginRound(
  state: RunState,
  agent: AgentState,
  policy: Policy,
  round: number = agent.round + 1,
): readonly CoordinationEvent[] {
  const shown = currentAnswers(state).map((answer) => answer.label);
  const kind = shown.length === 0 ? "initial" : kindOf(state, agent, policy);
  const tools = callableTools(state, agent, shown.length > 0, policy);
  const started: CoordinationEvent = { type: "round_started", agent: agent.card.id, round, kind, shown, tools };
  // Who goes on in its conversation has not been restarted.
  const isRestart = policy.enableRestarts && round > 0 && round !== agent.round;
  return isRestart ? [{ type: "restart_completed", agent: agent.card.id, round }, started] : [started];
}

function kindOf(state: RunState, agent: AgentState, policy: Policy): RoundKind {
  if (!state.answersClosed && state.reopened?.epoch === epochOf(state)) return state.reopened.as;
  return isCapped(state, agent, policy) ? "vote_only" : "evaluation";
}
