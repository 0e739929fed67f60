import type { AgentId, CoordinationEvent } from "@massgen/contracts";
import { beginRound } from "./begin-round.js";
import { callableTools } from "./caps.js";
import { agentByAnon, seenVersion, shownTo, unseenAnswers } from "./inspect.js";
import { labelOf, parseVoteTarget } from "./labels.js";
import { mayInject } from "./may-inject.js";
import type { Policy } from "./policy.js";
import type { Refusal } from "./reject.js";
import type { VoteClaim } from "./signal.js";
import type { AgentState, RunState } from "./state.js";
import { weighVote } from "./weigh-vote.js";

const no = (code: Refusal["code"], message: string): Refusal => ({ type: "vote_rejected", code, message });

/** The first rule an offered vote breaks, in the order of docs/spec/coordination.md 1.6; staleness is no refusal. */
export function refusalOfVote(state: RunState, agent: AgentState, claim: VoteClaim): Refusal | null {
  if (!agent.tools.includes("vote"))
    return no(
      "tool_unavailable",
      shownTo(state, agent).length > 0
        ? "vote may not be called in this run; submit an answer with new_answer"
        : "vote may not be called now: you have been shown no answers; submit an answer with new_answer",
    );
  const shown = shownTo(state, agent);
  if (shown.length === 0) return no("vote_no_answers", "you have been shown no answers yet; submit an answer with new_answer");
  if (targetOf(state, agent, claim) === null) {
    const valid = shown.map((label) => label.slice(0, label.indexOf("."))).join(", ");
    return no(
      "invalid_vote_id",
      `${JSON.stringify(claim.target.slice(0, 80))} is none of the answers you have been shown; vote for one of: ${valid}`,
    );
  }
  return null;
}

/**
 * A vote that passed `refusalOfVote`: cast, or not counted because a newer answer has not been seen yet. A stale vote
 * costs no attempt; the agent gets the update in its conversation, or a fresh round when no update may be injected.
 */
export function acceptVote(
  state: RunState,
  agent: AgentState,
  claim: VoteClaim,
  coerced: boolean,
  policy: Policy,
): readonly CoordinationEvent[] {
  const target = targetOf(state, agent, claim);
  if (target === null) return [];
  const unseen = unseenAnswers(state, agent);
  const id = agent.card.id;
  if (unseen.length > 0 && !agent.hardTimeout) {
    const labels = unseen.map((answer) => answer.label);
    const ignored: CoordinationEvent = {
      type: "vote_ignored",
      agent: id,
      round: agent.round,
      target: target.id,
      reason: claim.reason,
      unseen: labels,
    };
    return mayInject(agent, policy)
      ? [ignored, { type: "update_injected", agent: id, round: agent.round, labels, tools: callableTools(state, agent, true, policy) }]
      : [ignored, ...beginRound(state, agent, policy)];
  }
  const { reason } = claim;
  return [
    {
      type: "vote_cast",
      agent: id,
      round: agent.round,
      target: target.id,
      targetLabel: target.label,
      reason,
      ...weighVote(claim.confidence, target.id === id, policy),
      coerced,
      options: shownTo(state, agent),
    },
  ];
}

/** Whom the vote means, and the version this agent has seen: a vote never moves on to a text its voter has not read. */
function targetOf(
  state: RunState,
  agent: AgentState,
  claim: VoteClaim,
): { readonly id: AgentId; readonly label: ReturnType<typeof labelOf> } | null {
  const anon = parseVoteTarget(claim.target);
  const author = anon === null ? undefined : agentByAnon(state, anon);
  const version = author === undefined ? 0 : seenVersion(agent, author.card.id);
  return author === undefined || version === 0 ? null : { id: author.card.id, label: labelOf(author.card.anon, version) };
}
