import { agentOf, currentAnswers } from "@massgen/kernel";
import type { RunView } from "@massgen/views";

/**
 * `partial_answers.json` of a cancelled run: what each agent had, so that nothing paid for is lost (docs/spec/coordination.md
 * 1.15, EC63). `null` when nobody had an answer.
 */
export function partialAnswers(view: RunView): unknown {
  const { state } = view;
  if (state.answers.length === 0) return null;
  const current = currentAnswers(state);
  return {
    status: "incomplete",
    phase: view.cancelled?.phase ?? state.phase,
    selected_agent: state.decision?.winner ?? null,
    voting_complete: state.decision !== null,
    answers: Object.fromEntries(
      state.order.map((id) => {
        const agent = agentOf(state, id);
        const vote = agent?.vote ?? null;
        const answer = current.find((one) => one.by === id);
        return [
          id,
          {
            answer: answer?.content ?? null,
            label: answer?.label ?? null,
            has_voted: vote !== null,
            votes: vote === null ? {} : { agent_id: vote.target, label: vote.targetLabel, reason: vote.reason },
            answer_count: agent?.answers ?? 0,
          },
        ];
      }),
    ),
  };
}
