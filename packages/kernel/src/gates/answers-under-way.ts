import { isCapped } from "../caps.js";
import { liveAgents, unseenAnswers } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { AgentState, RunState } from "../state.js";
import { defersVoting } from "./first-answers.js";

/**
 * Keeps an agent from voting while an answer is likely on its way that would void the vote, so that the call is not paid
 * twice. An agent that may only vote waits while a peer may still answer in the round it is in; one whose vote was voided
 * waits while such a peer has not seen all answers. The run gets no longer, since it waits for that peer anyway. Part of
 * holding votes (`deferVotingUntilAllAnswered`); stragglers that were given up are not waited for.
 */
export function holdsForAnswersUnderWay(state: RunState, agent: AgentState, policy: Policy): boolean {
  if (!defersVoting(state, policy)) return false;
  const onlyVotes = isCapped(state, agent, policy);
  if (!onlyVotes && agent.standing !== "restarting") return false;
  return liveAgents(state).some(
    (peer) => peer !== agent && mayStillAnswer(state, peer, policy) && (onlyVotes || unseenAnswers(state, peer).length > 0),
  );
}

const mayStillAnswer = (state: RunState, peer: AgentState, policy: Policy): boolean =>
  peer.standing === "streaming" &&
  peer.tools.includes("new_answer") &&
  !isCapped(state, peer, policy) &&
  (peer.hasActed || !state.stragglersGivenUp);
