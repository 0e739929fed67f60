import type { BudgetLimits, CoordinationEvent, RunMode, Verification } from "@massgen/contracts";
import { decide, type Effect, initialState, outstanding, type Policy, type RunState, type Signal } from "@massgen/kernel";
import fc from "fast-check";
import { violationsOf } from "./invariants.js";
import { start } from "./play.js";

const amount = (max: number): fc.Arbitrary<number | null> => fc.option(fc.integer({ min: 1, max }));
const budgets: fc.Arbitrary<BudgetLimits> = fc.record({
  maxTotalTokens: amount(3_000),
  maxTotalCostUsd: amount(20),
  maxLlmCalls: amount(40),
  maxAgentTokens: amount(1_500),
  maxAgentCostUsd: amount(8),
  maxRoundCostUsd: amount(3),
  warnAt: fc.constantFrom(0.5, 0.8),
  reserveForFinal: fc.constantFrom(0, 0.15),
});

export const policies: fc.Arbitrary<Policy> = fc.record({
  maxAnswersPerAgent: fc.option(fc.integer({ min: 1, max: 5 })),
  maxAnswersGlobal: fc.option(fc.integer({ min: 1, max: 8 })),
  fairnessLeadCap: fc.option(fc.integer({ min: 0, max: 3 })),
  maxInjectionsPerRound: fc.option(fc.integer({ min: 0, max: 3 })),
  peerUpdates: fc.constantFrom("midstream", "next_round"),
  deferVotingUntilAllAnswered: fc.option(fc.boolean()),
  stragglerPatience: fc.option(fc.constantFrom(0, 0.5, 2)),
  maxAttemptsPerRound: fc.integer({ min: 1, max: 3 }),
  maxRestarts: fc.constantFrom(0, 0, 1, 2, 3),
  debugFinalAnswer: fc.constant(null),
  planningMode: fc.boolean(),
  paraphrases: fc.constantFrom(0, 0, 1, 2),
  paraphraseThreshold: fc.constantFrom(null, 0.85),
  dividesWork: fc.boolean(),
  skipCoordination: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  skipVoting: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  finalAnswer: fc.constantFrom("present", "reuse", "synthesize"),
  presenterAgent: fc.option(fc.constantFrom("a0", "a1", "nobody")),
  tieBreak: fc.shuffledSubarray(["peer_votes", "confidence", "registration_order", "latest_answer"]),
  novelty: fc.constantFrom("lenient", "balanced", "strict"),
  maxRounds: fc.option(fc.integer({ min: 1, max: 4 })),
  convergenceThreshold: fc.option(fc.constantFrom(0.3, 0.6, 1)),
  votingMethod: fc.constantFrom("plurality", "weighted_by_confidence"),
  selfVoteWeight: fc.constantFrom(0, 0.5, 1),
  verifyRequired: fc.boolean(),
  enableRestarts: fc.boolean(),
  restartAfterStagnation: fc.option(fc.integer({ min: 1, max: 3 })),
  budget: fc.option(budgets),
  limits: fc.record({
    orchestratorMs: fc.constant(1_800_000),
    initialRoundMs: fc.option(fc.constant(60_000)),
    subsequentRoundMs: fc.option(fc.constant(60_000)),
    roundGraceMs: fc.constant(1_000),
    divisionMs: fc.constant(1_000),
    presentationMs: fc.constant(1_000),
    postEvaluationMs: fc.constant(1_000),
  }),
});

export const chances: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(1_000), { minLength: 4, maxLength: 60 });

export interface RandomRun {
  readonly decisions: readonly (readonly CoordinationEvent[])[];
  readonly signals: readonly Signal[];
  readonly state: RunState;
  readonly violations: readonly string[];
}

/** A stream of draws that the list steers and that never falls into a short cycle. */
function drawing(numbers: readonly number[]): (below: number) => number {
  let hash = 0x9e3779b9;
  let drawn = 0;
  return (below) => {
    hash = Math.imul(hash ^ ((numbers[drawn % numbers.length] ?? 0) + drawn++), 0x85ebca6b);
    hash ^= hash >>> 13;
    return (hash >>> 8) % below;
  };
}

/**
 * Plays agents that do anything at any time, in any order of arrival, from `from` to the end of the run. Every decision
 * is checked against the invariants. Ends with a violation when the run does not.
 */
export function playAtRandom(from: RunState, first: Signal, policy: Policy, numbers: readonly number[], maxSteps = 4_000): RandomRun {
  const draw = drawing(numbers);
  const decisions: (readonly CoordinationEvent[])[] = [];
  const signals: Signal[] = [];
  const violations: string[] = [];
  const budgets = patienceBudgets(policy);
  let state = from;
  const take = (signal: Signal): void => {
    signals.push(signal);
    const facts = decide(state, signal, policy);
    const checked = violationsOf(state, facts, policy);
    violations.push(...checked.violations);
    state = checked.state;
    if (facts.length > 0) decisions.push(facts);
    violations.push(...budgets(facts));
  };
  take(first);
  for (let step = 0; state.phase !== "finished" && violations.length === 0; step++) {
    if (step > maxSteps) violations.push(`the run did not end in ${maxSteps} steps`);
    const work = outstanding(state, policy);
    const effect = work[draw(work.length)];
    if (effect !== undefined) take(signalFrom(state, effect, draw));
  }
  return { decisions, signals, state, violations };
}

/** Counts refusals per round and forgiven failures per agent, from the facts alone. */
function patienceBudgets(policy: Policy): (facts: readonly CoordinationEvent[]) => readonly string[] {
  const refused = new Map<string, number>();
  const forgiven = new Map<string, number>();
  const more = (counts: Map<string, number>, agent: string, most: number, what: string): readonly string[] => {
    const count = (counts.get(agent) ?? 0) + 1;
    counts.set(agent, count);
    return count > most ? [`${agent} was ${what} ${count} times`] : [];
  };
  return (facts) =>
    facts.flatMap((fact) => {
      if (fact.type === "round_started" || fact.type === "post_evaluation_started") refused.delete(fact.agent);
      if (fact.type === "attempt_restarted") forgiven.clear();
      if (fact.type === "answer_rejected" || fact.type === "vote_rejected" || fact.type === "enforcement_retry")
        return more(refused, fact.agent, policy.maxAttemptsPerRound, "refused in one round");
      if (fact.type === "agent_failed" && !fact.fatal) return more(forgiven, fact.agent, 1, "forgiven a failure");
      return [];
    });
}

/** A way of working together that this many agents can have, drawn by the first number. */
const modeFor = (agents: number, [number = 0]: readonly number[]): RunMode =>
  agents === 1
    ? (["single", "refine"] as const)[number % 2]!
    : (["voting", "voting", "decomposition", "decomposition", "sequential"] as const)[number % 5]!;

/** In some runs not everybody is given a part. */
function withSomeParts(signal: Signal, [, number = 0]: readonly number[]): Signal {
  if (signal.type !== "start" || signal.subtasks === undefined || number % 2 === 0) return signal;
  const given = Object.entries(signal.subtasks).filter((_, index) => (number >> (index + 1)) % 2 === 0);
  return { ...signal, subtasks: Object.fromEntries(given) };
}

export const startRandomRun = (agents: number, policy: Policy, numbers: readonly number[]): RandomRun =>
  playAtRandom(
    initialState,
    withSomeParts(
      start(
        Array.from({ length: agents }, (_, index) => `a${index}`),
        modeFor(agents, numbers),
      ),
      numbers,
    ),
    policy,
    numbers,
  );

function analysis(agent: string, draw: (below: number) => number): Signal {
  const kind = draw(4);
  if (kind === 0) return { type: "analysis_failed", agent, message: "503" };
  const blockedTools = draw(2) === 0 ? [] : ["send"];
  return { type: "analysed", agent: draw(10) === 0 ? "a0" : agent, irreversible: kind > 1, blockedTools, failure: null };
}

function wordings(agent: string, draw: (below: number) => number): Signal {
  if (draw(3) === 0) return { type: "paraphrasing_failed", agent, message: "503" };
  const texts = Array.from({ length: draw(4) }, () => ({
    text: ["q", " ", "other words", "yet other words"][draw(4)]!,
    sameness: draw(3) === 0 ? null : { isSame: draw(3) > 0, confidence: draw(2) },
  }));
  return { type: "paraphrased", agent: draw(10) === 0 ? "a0" : agent, wordings: texts, failure: draw(4) === 0 ? "unreadable" : null };
}

function division({ order }: RunState, agent: string, draw: (below: number) => number): Signal {
  if (draw(3) === 0) return { type: "division_failed", agent, message: "503" };
  const subtasks = Object.fromEntries(order.flatMap((id) => (draw(5) === 0 ? [] : [[id, draw(9) === 0 ? " " : `part of ${id}`] as const])));
  return { type: "divided", agent: draw(10) === 0 ? "a0" : agent, subtasks, failure: draw(4) === 0 ? "unreadable" : null };
}

function evaluation(at: { readonly agent: string; readonly round: number }, draw: (below: number) => number): Signal {
  const kind = draw(10);
  if (kind === 0) return { type: "evaluation_failed", ...at, message: "503" };
  if (kind === 1) return { type: "irreversible_tool_called", ...at, callId: "c1", name: "send" };
  if (kind < 4) return { type: "evaluation_missed", ...at, code: "no_tool_calls", detail: "it called no tool" };
  if (kind === 4) return { type: "evaluated", ...at, round: at.round - 1, verdict: "submit", reason: "", instructions: "" };
  const reason = draw(4) === 0 ? " " : "thin";
  return { type: "evaluated", ...at, verdict: kind < 9 ? "restart" : "submit", reason, instructions: draw(2) === 0 ? "" : "more" };
}

function signalFrom(state: RunState, effect: Effect, draw: (below: number) => number): Signal {
  if (effect.kind === "timer")
    return draw(5) === 0 ? { type: "timer_fired", timer: effect.id, texts: {} } : { type: "timer_fired", timer: "timer:none", texts: {} };
  if (effect.kind === "present") {
    return draw(4) === 0
      ? { type: "presentation_failed", agent: effect.agent, why: "error", partial: "half" }
      : { type: "presented", agent: effect.agent, content: draw(3) === 0 ? " " : "final" };
  }
  if (effect.kind === "analyse") return analysis(effect.agent, draw);
  if (effect.kind === "paraphrase") return wordings(effect.agent, draw);
  if (effect.kind === "divide") return division(state, effect.agent, draw);
  if (effect.kind === "evaluate") return evaluation({ agent: effect.agent, round: effect.round }, draw);
  const at = { agent: effect.agent, round: draw(40) === 0 ? effect.round + 1 : effect.round };
  // Some word for word the same, some nearly, some with nothing in common.
  const content =
    draw(6) === 0
      ? "the same answer"
      : draw(2) === 0
        ? `an answer of many words, all but one of them the same: ${state.seq}`
        : `answer ${state.seq}`;
  const claim = {
    content: draw(30) === 0 ? " " : content,
    fingerprint: content,
    snapshot: null,
    verification: CHECKS[draw(CHECKS.length)]!,
  };
  const vote = () => ({
    target: `agent${draw(state.order.length + 1) + 1}`,
    reason: "r",
    confidence: draw(3) === 0 ? [0, 0.3, 0.9, 1, 85, 900, -1][draw(7)]! : null,
  });
  const kind = draw(115);
  if (kind >= 105)
    return { type: "usage_reported", ...at, usage: { ...nothing, inputTokens: draw(300), costUsd: draw(4) === 0 ? null : draw(3) } };
  if (kind >= 100) return requestOf(effect.agent, effect.round, draw(300));
  const stop = { summary: "my part", status: draw(3) === 0 ? "blocked" : "complete" } as const;
  if (state.mode === "decomposition" && kind >= 34 && kind < 68) return { type: "stop_offered", ...at, ...stop };
  if (state.mode === "decomposition" && kind >= 76 && kind < 81)
    return { type: "several_offered", ...at, answer: claim, votes: [], stop, text: "both" };
  if (kind < 34) return { type: "answer_offered", ...at, ...claim };
  if (kind < 68) return { type: "vote_offered", ...at, ...vote() };
  if (kind < 76) return { type: "update_delivered", ...at, labels: effect.inputs.unseen };
  if (kind < 81) return { type: "several_offered", ...at, answer: draw(2) === 0 ? claim : null, votes: [vote(), vote()], text: "both" };
  if (kind < 88)
    return {
      type: "nothing_offered",
      ...at,
      code: "no_tool_calls",
      tool: null,
      detail: "no tool call",
      text: draw(2) === 0 ? "some text" : "",
    };
  if (kind < 92) return { type: "wrap_up_delivered", ...at };
  if (kind < 94) return { type: "round_timed_out", ...at, answer: draw(2) === 0 ? claim : null, text: "" };
  if (kind < 98) return { type: "round_failed", ...at, kind: draw(2) === 0 ? "backend_transient" : "stall", message: "cut", text: "half" };
  if (kind < 99) return { type: "round_failed", ...at, kind: "backend_fatal", message: "401", text: "" };
  if (draw(3) === 0) return { type: "answer_now_requested", reason: "in a hurry" };
  return draw(8) === 0
    ? { type: "cancel_requested", reason: "user", texts: {} }
    : { type: "usage_reported", ...at, usage: { ...nothing, inputTokens: 1, outputTokens: 1 } };
}

const nothing = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: null } as const;

const requestOf = (agent: string, round: number, inputTokens: number): Signal => ({
  type: "request_offered",
  fact: {
    type: "llm_call",
    agent,
    round,
    callId: "call",
    purpose: "work",
    status: "started",
    ttftMs: null,
    durationMs: null,
    message: null,
  },
  inputTokens,
  maxOutputTokens: null,
  text: "so far",
});

/** What a check may say of an answer; mostly there is none. */
const CHECKS: readonly (Verification | null)[] = [
  null,
  null,
  ...[true, false, null].map((passed) => ({ passed, exitCode: passed === null ? null : passed ? 0 : 1, durationMs: 5, summary: "said" })),
];
