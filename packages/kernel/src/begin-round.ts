import type { CoordinationEvent, RoundKind, WorkflowTool } from "@massgen/contracts";
import { callableTools } from "./caps.js";
import { deliverWithPrompt } from "./inputs.js";
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
  const tools = callableTools(state, agent, shown.length > 0, policy);
  const kind = kindOf(state, shown.length > 0, tools);
  const started: CoordinationEvent = { type: "round_started", agent: agent.card.id, round, kind, shown, tools };
  const said = deliverWithPrompt(state, agent.card.id, round);
  // Who goes on in its conversation has not been restarted.
  const isRestart = policy.enableRestarts && round > 0 && round !== agent.round;
  return isRestart ? [{ type: "restart_completed", agent: agent.card.id, round }, started, ...said] : [started, ...said];
}

function kindOf(state: RunState, hasSeenAnswers: boolean, tools: readonly WorkflowTool[]): RoundKind {
  if (state.mode === "sequential") return "stage";
  if (!hasSeenAnswers || (state.mode === "voting" && !tools.includes("vote"))) return "initial";
  if (!state.answersClosed && state.reopened?.epoch === epochOf(state)) return state.reopened.as;
  return tools.includes("new_answer") ? "evaluation" : "vote_only";
}
