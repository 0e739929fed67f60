import type { AgentId, AttemptFact } from "@massgen/contracts";
import { withChanges } from "../copy.js";
import { freshAgent } from "../fresh-agent.js";
import { agentsOf } from "../inspect.js";
import { patchAgent } from "../patch-agent.js";
import { type AgentState, initialState, type RunState } from "../state.js";

/** What the facts about attempts change; `state` already counts the record. */
export function foldAttempt(state: RunState, fact: AttemptFact): RunState {
  switch (fact.type) {
    case "post_evaluation_started":
      return withChanges(patchAgent(state, fact.agent, { standing: "streaming", round: fact.round, attempts: 0 }), {
        evaluation: { round: fact.round, seq: state.seq },
      });
    case "post_evaluation_finished":
      return patchAgent(state, fact.agent, ({ standing }) => ({ standing: standing === "streaming" ? "completed" : standing }));
    case "attempt_restarted":
      return startOver(state, fact);
    case "earlier_attempt_used":
      return fallBackOn(state, fact.attempt);
    case "irreversible_tool_ran":
      return withChanges(state, { irreversibleTools: [...state.irreversibleTools, fact.name] });
  }
}

/**
 * Everything begins anew, except what is named here: the run itself, what it has spent, its plan, and what the attempt
 * before had presented. A field that is of the run and not of an attempt must be added to this list.
 */
function startOver(state: RunState, fact: Extract<AttemptFact, { type: "attempt_restarted" }>): RunState {
  const { phase, question, mode, seq, order, spent, spending, planning, paraphrasing, division, inputs, cancelled, decision, finalAnswer } =
    state;
  const { attempt, reason, instructions } = fact;
  const presented = { finalAnswer: finalAnswer ?? "", snapshot: state.finalSnapshot };
  return {
    ...initialState,
    phase,
    question,
    mode,
    seq,
    order,
    spent,
    spending,
    planning,
    paraphrasing,
    division,
    inputs,
    cancelled,
    agents: Object.fromEntries(agentsOf(state).map((agent): [AgentId, AgentState] => [agent.card.id, renewed(agent)])),
    attempt,
    pastAttempt: decision === null ? null : { ...decision, attempt: state.attempt, ...presented, reason, instructions },
  };
}

/** A vendor that refuses key or model will refuse them again: that agent stays out. */
function renewed({ card, failure, lastText, subtask, heard }: AgentState): AgentState {
  const agent = { ...freshAgent(card), subtask, heard };
  return failure?.kind === "backend_fatal" ? { ...agent, standing: "error", failure, lastText } : agent;
}

function fallBackOn(state: RunState, attempt: number): RunState {
  const past = state.pastAttempt;
  if (past === null) return state;
  const { winner, label, selection, finalAnswer, snapshot } = past;
  return withChanges(state, { decision: { winner, label, selection }, finalAnswer, finalSnapshot: snapshot, earlierAttemptUsed: attempt });
}
