import { isCapped } from "../caps.js";
import { hasUnseen, liveAgents } from "../inspect.js";
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
  const { answering, behind } = underWay(state, policy);
  return (onlyVotes ? answering : behind).some((peer) => peer !== agent);
}

interface UnderWay {
  readonly policy: Policy;
  /** Agents in a round in which they may still answer: two of them, since nobody waits for itself. */
  readonly answering: readonly AgentState[];
  /** The same of those among them that have not seen all answers. */
  readonly behind: readonly AgentState[];
}

/** The same for every agent that waits, so looked for once. */
function underWay(state: RunState, policy: Policy): UnderWay {
  const known = underWayIn.get(state);
  if (known?.policy === policy) return known;
  const answering: AgentState[] = [];
  const behind: AgentState[] = [];
  for (const peer of liveAgents(state)) {
    if (behind.length === 2) break;
    if (!mayStillAnswer(state, peer, policy)) continue;
    if (answering.length < 2) answering.push(peer);
    if (hasUnseen(state, peer)) behind.push(peer);
  }
  const found = { policy, answering, behind };
  underWayIn.set(state, found);
  return found;
}
const underWayIn = new WeakMap<RunState, UnderWay>();

const mayStillAnswer = (state: RunState, peer: AgentState, policy: Policy): boolean =>
  peer.standing === "streaming" &&
  peer.tools.includes("new_answer") &&
  !isCapped(state, peer, policy) &&
  (peer.hasActed || !state.stragglersGivenUp);
