import type { CoordinationEvent, RoundKind } from "@massgen/contracts";
import { callableTools, isCapped } from "./caps.js";
import { currentAnswers } from "./inspect.js";
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
  const kind: RoundKind = shown.length === 0 ? "initial" : isCapped(state, agent, policy) ? "vote_only" : "evaluation";
  const tools = callableTools(state, agent, shown.length > 0, policy);
  const started: CoordinationEvent = { type: "round_started", agent: agent.card.id, round, kind, shown, tools };
  return round > 0 && round !== agent.round ? [{ type: "restart_completed", agent: agent.card.id, round }, started] : [started];
}
