import type { AgentId, Phase } from "@massgen/contracts";
import { agentOf, currentAnswers, type RunState } from "@massgen/kernel";
import { acceptedAttempt, type FinishReason, finishReasonOf, type RunView } from "@massgen/views";

/** What one agent had when its turn was cut off. */
export interface PartialAnswer {
  readonly agent: AgentId;
  /** The name its peers knew it by, `agent2`. */
  readonly anon: string;
  /** `null`: it had none yet. */
  readonly answer: string | null;
  readonly answerCount: number;
  readonly vote: { readonly agent: AgentId; readonly label: string; readonly reason: string } | null;
}

/** What came of a turn. `complete`: there is an answer that was given as the result, whatever the run's own status. */
export type TurnEnd = { readonly finishReason: FinishReason } & (
  | { readonly status: "complete"; readonly answer: string; readonly winner: AgentId | null }
  | {
      readonly status: "incomplete";
      readonly phase: Phase;
      readonly votingComplete: boolean;
      readonly winner: AgentId | null;
      /** In the order of the config. */
      readonly partial: readonly PartialAnswer[];
    }
);

/** What came of the run of this view; one without an end counts as cut off where it stands. */
export function turnEndOf(view: RunView): TurnEnd {
  const { state, finished } = view;
  const finishReason = finished === null ? "cancelled" : finishReasonOf(finished.status);
  if (finished !== null && finished.status !== "cancelled" && state.finalAnswer !== null)
    return { status: "complete", finishReason, answer: state.finalAnswer, winner: acceptedAttempt(view).state.decision?.winner ?? null };
  return {
    status: "incomplete",
    finishReason,
    phase: view.cancelled?.phase ?? state.phase,
    votingComplete: state.decision !== null,
    winner: state.decision?.winner ?? null,
    partial: partialOf(state),
  };
}

function partialOf(state: RunState): readonly PartialAnswer[] {
  const answers = currentAnswers(state);
  return state.order.flatMap((id) => {
    const agent = agentOf(state, id);
    if (agent === undefined) return [];
    const { vote } = agent;
    return {
      agent: id,
      anon: agent.card.anon,
      answer: answers.find((one) => one.by === id)?.content ?? null,
      answerCount: agent.answers,
      vote: vote === null ? null : { agent: vote.target, label: vote.targetLabel, reason: vote.reason },
    };
  });
}

/** The answer that stands for a turn that was cut off: of the winner, else of who leads the votes, else the longest. */
export function bestPartial(end: Extract<TurnEnd, { status: "incomplete" }>): PartialAnswer | null {
  const withAnswer = end.partial.filter((one) => one.answer !== null);
  const winner = withAnswer.find((one) => one.agent === end.winner);
  if (winner !== undefined) return winner;
  const votesOf = (agent: AgentId): number => end.partial.filter((one) => one.vote?.agent === agent).length;
  const lengthOf = (one: PartialAnswer): number => one.answer?.length ?? 0;
  return withAnswer.toSorted((a, b) => votesOf(b.agent) - votesOf(a.agent) || lengthOf(b) - lengthOf(a))[0] ?? null;
}
