import { currentAnswers } from "@massgen/kernel";
import type { Ballot, RunView } from "@massgen/views";

/** `vote.json` of a step folder: one vote with all that its voter could choose from (docs/spec/logs.md 4.3). */
export function voteStep(view: RunView, ballot: Ballot, timestamp: string): unknown {
  const { state } = view;
  const anon = (id: string): string => view.agents.get(id)?.card.anon ?? id;
  const mapping = Object.fromEntries([...view.agents.values()].map(({ card }) => [card.anon, card.id]));
  const authors = ballot.options.map((label) => mapping[label.slice(0, label.indexOf("."))] ?? label);
  return {
    voter_id: ballot.voter,
    voter_anon_id: anon(ballot.voter),
    voted_for: ballot.target,
    voted_for_anon: anon(ballot.target),
    voted_for_label: ballot.targetLabel,
    reason: ballot.reason,
    confidence: ballot.confidence,
    weight: ballot.weight,
    coerced: ballot.coerced,
    reason_missing: ballot.reason.trim() === "",
    timestamp,
    unix_timestamp: ballot.at / 1000,
    iteration: ballot.iteration,
    coordination_round: Math.max(0, ...Object.values(state.agents).map((agent) => agent.round)),
    epoch: ballot.epoch,
    available_options: authors,
    available_options_anon: authors.map(anon),
    available_options_labels: ballot.options,
    answer_label_to_agent: Object.fromEntries(state.answers.map((answer) => [answer.label, answer.by])),
    agent_mapping: mapping,
    vote_context: {
      total_agents: state.order.length,
      agents_with_answers: currentAnswers(state).length,
      current_task: state.question,
    },
  };
}
