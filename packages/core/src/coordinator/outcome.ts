import type { AgentId, AnswerLabel, Recorded, RunStatus } from "@massgen/contracts";
import { answerAt, type RunState } from "@massgen/kernel";

export interface Outcome {
  readonly status: RunStatus;
  /** The presented text, or the stored answer of the winner; `null` when there is no winner. */
  readonly finalAnswer: string | null;
  readonly winner: AgentId | null;
  /** The winning version, `agent2.1`. */
  readonly winnerLabel: AnswerLabel | null;
  /** What a program ending with this outcome exits with: 2 without a proper answer, 3 time limit, 4 cancelled, 5 budget. */
  readonly exitCode: 0 | 2 | 3 | 4 | 5;
  /** Why it did not end normally, for people; `null` when it did. */
  readonly message: string | null;
}

const EXIT_CODE: Readonly<Record<RunStatus, Outcome["exitCode"]>> = {
  completed: 0,
  tool_calls: 0,
  partial: 2,
  error: 2,
  timeout: 3,
  cancelled: 4,
  budget: 5,
};

export function outcomeOf(state: RunState, records: readonly Recorded[]): Outcome {
  const { decision } = state;
  const status = state.status ?? "error";
  const stored = decision?.label == null ? undefined : answerAt(state, decision.label)?.content;
  const finalAnswer = state.finalAnswer ?? stored ?? null;
  const end = records.findLast((record) => record.type === "run_finished");
  return {
    status,
    finalAnswer,
    // Whoever was to answer without coordination and did not has won nothing.
    winner: finalAnswer === null ? null : (decision?.winner ?? null),
    winnerLabel: decision?.label ?? null,
    exitCode: EXIT_CODE[status],
    message: end?.message ?? null,
  };
}
