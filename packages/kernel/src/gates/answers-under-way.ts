import { isCapped } from "../caps.js";
import { liveAgents } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { AgentState, RunState } from "../state.js";
import { defersVoting } from "./first-answers.js";

/**
 * An agent that may only vote waits while a peer may still answer in the round it is in: that answer would void the vote
 * and the call would be paid twice. The run gets no longer, since it waits for that peer anyway. Part of holding votes
 * (`deferVotingUntilAllAnswered`); stragglers that were given up are not waited for.
 */
export const holdsForAnswersUnderWay = (state: RunState, agent: AgentState, policy: Policy): boolean =>
  defersVoting(state, policy) &&
  isCapped(state, agent, policy) &&
  liveAgents(state).some((peer) => peer !== agent && mayStillAnswer(state, peer, policy));

const mayStillAnswer = (state: RunState, peer: AgentState, policy: Policy): boolean =>
  peer.standing === "streaming" &&
  peer.tools.includes("new_answer") &&
  !isCapped(state, peer, policy) &&
  (peer.hasActed || !state.stragglersGivenUp);
