import type { RunMode } from "@massgen/contracts";
import type { Policy } from "@massgen/kernel";
import { assumed } from "./assumptions.js";
import type { Range } from "./estimate.js";

/** How often the rules of a run let its agents be asked, all attempts together. A piece of work may take several calls. */
export interface RunWork {
  /** By agent, in order. */
  readonly agents: readonly AgentWork[];
  /** What one of the team does for all. */
  readonly presentations: Range;
  readonly judgements: Range;
  readonly plans: Range;
  /** Pieces of work one after the other, as long as others go on beside them. */
  readonly steps: { readonly answers: Range; readonly decisions: Range };
  /** Agents work one after the other. */
  readonly isPipeline: boolean;
  readonly attempts: Range;
}

export interface AgentWork {
  readonly answers: Range;
  /** Votes; in decomposition, stops. */
  readonly decisions: Range;
}

/**
 * `isDivided`: in decomposition, everybody was given a part.
 *
 * The least is a team that agrees at once. The most is one in which every answer the caps allow comes alone and voids all
 * votes before it (docs/spec/coordination.md 1.5, 1.11).
 */
export function countWork(mode: RunMode, policy: Policy, size: number, isDivided = true): RunWork {
  const attempts = { low: 1, high: policy.maxRestarts + 1 };
  const { agents, steps } = oneAttempt(mode, policy, size);
  const again = ({ low, high }: Range): Range => ({ low, high: high * attempts.high });
  return {
    agents: agents.map(({ answers, decisions }) => ({ answers: again(answers), decisions: again(decisions) })),
    steps: { answers: again(steps.answers), decisions: again(steps.decisions) },
    presentations: again(presentationsOf(mode, policy)),
    judgements: policy.maxRestarts > 0 ? { low: 1, high: policy.maxRestarts } : NONE,
    plans: preparationsOf(mode, policy, isDivided),
    isPipeline: mode === "sequential",
    attempts,
  };
}

type Attempt = Pick<RunWork, "agents" | "steps">;

const NONE: Range = { low: 0, high: 0 };
const ONCE: Range = { low: 1, high: 1 };

function oneAttempt(mode: RunMode, policy: Policy, size: number): Attempt {
  if (policy.skipCoordination) {
    const agents = Array.from({ length: size }, (_, index) => ({ answers: index === 0 ? ONCE : NONE, decisions: NONE }));
    return { agents, steps: { answers: ONCE, decisions: NONE } };
  }
  switch (mode) {
    case "single":
    case "sequential":
      return everybody(size, ONCE, NONE);
    case "refine":
      return refining(policy);
    case "voting":
      return policy.skipVoting ? everybody(size, ONCE, NONE) : deciding(policy, size, capOf(mode, policy), ONCE);
    case "decomposition":
      // Who may not deliver any more is stopped without being asked.
      return deciding(policy, size, capOf(mode, policy), policy.maxAnswersPerAgent === 1 ? NONE : ONCE);
  }
}

const everybody = (size: number, answers: Range, decisions: Range): Attempt => ({
  agents: Array.from({ length: size }, () => ({ answers, decisions })),
  steps: { answers, decisions },
});

/** One agent improves its answer until it votes for it, or may not any more. */
function refining(policy: Policy): Attempt {
  const cap = policy.skipVoting ? 1 : (capOf("refine", policy) ?? 2);
  return everybody(1, { low: 1, high: cap }, cap === 1 ? NONE : ONCE);
}

function deciding(policy: Policy, size: number, cap: number | null, leastDecisions: Range): Attempt {
  const perAgent = cap ?? assumed.answersPerAgent;
  const inAll = Math.max(size, Math.min(perAgent * size, policy.maxAnswersGlobal ?? Number.POSITIVE_INFINITY));
  const later = inAll - size;
  const ownLater = Math.min(perAgent - 1, later);
  const { low } = leastDecisions;
  // Each answer of another calls for a new look, the first ones too unless nobody looks before all have theirs.
  const firstLooks = isHeld(policy, size) ? 1 : size - 1;
  return {
    agents: Array.from({ length: size }, () => ({
      answers: { low: 1, high: 1 + ownLater },
      decisions: { low, high: firstLooks + later - ownLater },
    })),
    steps: { answers: { low: 1, high: 1 + later }, decisions: { low, high: firstLooks + later } },
  };
}

/** Votes wait for everybody's first answer, stragglers included (docs/spec/coordination.md 1.11). */
const isHeld = ({ deferVotingUntilAllAnswered, stragglerPatience }: Policy, size: number): boolean =>
  (deferVotingUntilAllAnswered ?? size > 2) && stragglerPatience === null;

/** What is asked before the rounds: what cannot be undone, other wordings of the question, and the parts of those who have none. */
function preparationsOf(mode: RunMode, policy: Policy, isDivided: boolean): Range {
  const divisions = mode === "decomposition" && !isDivided && policy.dividesWork && !policy.skipCoordination ? 1 : 0;
  const wordings = policy.paraphrases === 0 || policy.skipCoordination ? 0 : policy.paraphraseThreshold === null ? 1 : 2;
  const calls = (policy.planningMode ? 1 : 0) + wordings + divisions;
  return { low: calls, high: calls };
}

function presentationsOf(mode: RunMode, policy: Policy): Range {
  if (mode === "single" || mode === "sequential" || policy.skipCoordination) return NONE;
  if (mode !== "refine" && policy.finalAnswer !== "reuse") return ONCE;
  // What planning mode held back is done in the presentation.
  return policy.planningMode ? { low: 0, high: 1 } : NONE;
}

/**
 * Answers of one agent by its own caps; `null` where there is none but the safety cap. In decomposition the cap per agent only
 * counts answers in a row.
 */
export function capOf(mode: RunMode, { maxAnswersPerAgent, maxRounds }: Policy): number | null {
  if (mode === "decomposition") return maxRounds;
  const caps = [maxAnswersPerAgent, maxRounds].filter((cap) => cap !== null);
  return caps.length === 0 ? null : Math.min(...caps);
}
