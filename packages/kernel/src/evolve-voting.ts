import type { AgentId, CoordinationEvent } from "@massgen/contracts";
import { agentWith, withChanges } from "./copy.js";
import { isLive, isSettled } from "./inspect.js";
import type { AgentState, RunState } from "./state.js";

/** Folds what decides how votes come to a decision; `null` for facts about anything else. `state` counts the record already. */
export function evolveVoting(state: RunState, fact: CoordinationEvent): RunState | null {
  switch (fact.type) {
    case "debate_started":
      return withChanges(reopen(state, "debate"), { debates: fact.debate });
    case "stagnation_restart": {
      const reopened = reopen(state, "stagnation");
      return withChanges(reopened, { progress: { ...reopened.progress, hasRestarted: true } });
    }
    case "coordination_round_closed": {
      const { number: roundsClosed, share, stagnantInARow } = fact;
      const progress = { ...state.progress, roundsClosed, share, stagnantInARow, hasNewAnswer: false };
      return withChanges(
        changeAll(state, () => ({ hasActedLately: false })),
        { progress },
      );
    }
    case "answer_now_requested":
      return withChanges(
        changeAll(state, (agent) => (fact.agents.includes(agent.card.id) ? { softTimeout: true } : {})),
        { answerNow: true },
      );
    case "answers_closed":
      return withChanges(changeAll(state, mayOnlyVote), { answersClosed: true });
    default:
      return null;
  }
}

/** An answer that was compared and found like another brings nothing new; one that had nothing to be compared with does. */
export const isUnlikeOthers = (maxSimilarity: number | null): boolean => maxSimilarity === null || maxSimilarity < LIKE;
const LIKE = 0.9;

/**
 * All votes are void although no answer was accepted. Who had said its word looks again; after stagnation also who is in
 * the middle of a round. The next coordination round begins here.
 */
function reopen(state: RunState, as: "debate" | "stagnation"): RunState {
  const looksAgain = (agent: AgentState): boolean =>
    isLive(agent) && (isSettled(agent) || (as === "stagnation" && agent.standing === "streaming"));
  const cleared = changeAll(state, (agent) => ({
    vote: null,
    hasActedLately: false,
    ...(looksAgain(agent) ? { standing: "restarting" as const } : {}),
  }));
  return withChanges(cleared, {
    ballot: state.ballot + 1,
    reopened: { as, epoch: state.answers.length },
    progress: { ...state.progress, hasNewAnswer: false, share: 0, stagnantInARow: 0 },
  });
}

/** An agent at work that was shown answers has only its vote left, or its stop. */
const mayOnlyVote = (agent: AgentState): Partial<AgentState> =>
  agent.standing === "streaming" && Object.keys(agent.seen).length > 0
    ? { tools: agent.tools.filter((tool) => tool !== "new_answer") }
    : {};

function changeAll(state: RunState, change: (agent: AgentState) => Partial<AgentState>): RunState {
  const agents = state.order.map((id): [AgentId, AgentState] => {
    const agent = state.agents[id]!;
    return [id, agentWith(agent, change(agent))];
  });
  return withChanges(state, { agents: Object.fromEntries(agents) });
}
