import type { RoundTranscript } from "@massgen/contracts";
import { type RunView, voteReport } from "@massgen/views";
import { summaryOf } from "../events/extra-context.js";
import { messageJson, partsText } from "./message-json.js";

/** `context.txt` of a step: the prompt with which the round began, with all that stood before it in a conversation that goes on (docs/spec/logs.md 4.3). */
export function contextJson(transcript: RoundTranscript, epoch: number): unknown {
  const opening = transcript.messages.slice(0, transcript.openingMessages);
  const [system, user] = [opening.find((message) => message.role === "system"), opening.findLast((message) => message.role === "user")];
  return {
    system_message: system?.text ?? "",
    user_message: user === undefined ? "" : partsText(user.parts),
    ...(opening.length > 2 ? { messages: opening.map(messageJson) } : {}),
    tools: transcript.tools.map(({ name, description, input }) => ({ name, description, schema: input })),
    shown_labels: transcript.shown,
    round: transcript.round,
    epoch,
  };
}

/** `final/<agent>/context.txt`: what the presenter was told, with the votes behind the decision (docs/spec/logs.md 4.4). */
export function finalContextJson(view: RunView, transcript: RoundTranscript | null): unknown {
  const votes = voteReport(view);
  return {
    messages: transcript?.messages.map(messageJson) ?? [],
    is_final: true,
    vote_summary: summaryOf(view.decision?.fact.tally ?? []),
    all_answers: Object.fromEntries(view.state.answers.map((answer) => [answer.label, answer.content])),
    vote_counts: votes.vote_counts,
    voter_details: votes.voter_details,
    complete_vote_results: votes,
    all_votes: Object.fromEntries(
      Object.entries(votes.votes).map(([voter, vote]) => [voter, { agent_id: vote.voted_for, reason: vote.reason }]),
    ),
  };
}
