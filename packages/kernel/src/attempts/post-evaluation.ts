import type { CoordinationEvent } from "@massgen/contracts";
import { endDelivered } from "../deliver.js";
import { agentOf } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { Signal } from "../signal.js";
import type { AgentState, RunState } from "../state.js";

type Offered<T extends Signal["type"]> = Extract<Signal, { type: T }>;

/**
 * Whether the presented answer is judged before it is released: another attempt is left, and the presenter can be asked.
 * After a time limit, a cancel, with the budget used up, a call for the answer now or the failure of its author nobody is asked any more.
 */
export const isToBeJudged = (state: RunState, policy: Policy): boolean =>
  state.attempt <= policy.maxRestarts &&
  !state.cancelled &&
  !state.orchestratorTimeout &&
  !state.answerNow &&
  !state.spending.isUsedUp &&
  agentOf(state, state.decision?.winner ?? "")?.standing === "completed";

/** The presenter judges what was presented, in a round of its own. */
export function beginEvaluation(state: RunState): readonly CoordinationEvent[] {
  const presenter = agentOf(state, state.decision?.winner ?? "");
  if (presenter === undefined) return [];
  const round = Math.max(presenter.round, state.presentationRound ?? 0) + 1;
  return [
    { type: "phase_changed", from: "presenting", to: "evaluating" },
    { type: "post_evaluation_started", agent: presenter.card.id, round },
  ];
}

/** The evaluator's decision. A restart without a word of guidance, or after what cannot be undone, is none. */
export function judgeEvaluated(state: RunState, signal: Offered<"evaluated">, policy: Policy): readonly CoordinationEvent[] {
  if (evaluatorOf(state, signal) === null) return [];
  const { verdict, reason, instructions } = signal;
  if (verdict === "submit") return submit(state, { reason, instructions, note: null });
  if (reason.trim() === "" && instructions.trim() === "")
    return submit(state, { reason, instructions, note: "another attempt was asked for without a reason or instructions" });
  const [first, ...more] = new Set(state.irreversibleTools);
  if (first !== undefined)
    return submit(state, {
      reason,
      instructions,
      note: `another attempt was refused: what ${[first, ...more].join(", ")} did in the presentation cannot be undone`,
    });
  return [
    { type: "post_evaluation_finished", agent: signal.agent, verdict, reason, instructions, autoSubmitted: false, note: null },
    { type: "attempt_restarted", attempt: state.attempt + 1, maxAttempts: policy.maxRestarts + 1, reason, instructions },
    { type: "phase_changed", from: "evaluating", to: "coordinating" },
  ];
}

/** A response without a decision uses up an attempt; after the last one the answer is released. */
export function judgeMissed(state: RunState, signal: Offered<"evaluation_missed">, policy: Policy): readonly CoordinationEvent[] {
  const evaluator = evaluatorOf(state, signal);
  if (evaluator === null) return [];
  const attempt = evaluator.attempts + 1;
  const { agent, round, code, detail: message } = signal;
  const maxAttempts = policy.maxAttemptsPerRound;
  const refused = { type: "enforcement_retry", agent, round, code, message, attempt, maxAttempts } as const;
  return attempt < maxAttempts ? [refused] : [refused, ...releaseUnjudged(state, `there was no decision in ${attempt} attempts`)];
}

export const judgeEvaluationFailure = (state: RunState, signal: Offered<"evaluation_failed">): readonly CoordinationEvent[] =>
  evaluatorOf(state, signal) === null ? [] : releaseUnjudged(state, `it failed: ${signal.message}`);

/** Releases the answer because nobody judged it. */
export const releaseUnjudged = (state: RunState, note: string): readonly CoordinationEvent[] =>
  state.phase === "evaluating" ? submit(state, { reason: "", instructions: "", note }) : [];

function submit(
  state: RunState,
  { reason, instructions, note }: { readonly reason: string; readonly instructions: string; readonly note: string | null },
): readonly CoordinationEvent[] {
  const agent = state.decision?.winner ?? "";
  return [
    { type: "post_evaluation_finished", agent, verdict: "submit", reason, instructions, autoSubmitted: note !== null, note },
    ...endDelivered(state),
  ];
}

function evaluatorOf(state: RunState, { agent, round }: { readonly agent: string; readonly round: number }): AgentState | null {
  const isAsked = state.phase === "evaluating" && state.evaluation?.round === round && state.decision?.winner === agent;
  return isAsked ? (agentOf(state, agent) ?? null) : null;
}
