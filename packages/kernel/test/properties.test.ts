import type { AnswerLabel, CoordinationEvent } from "@massgen/contracts";
import { answerAt, decide, evolve, initialState, isReport, outstanding } from "@massgen/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settle } from "../src/settle.js";
import { policyWith, start } from "./play.js";
import { chances, playAtRandom, policies, startRandomRun } from "./random-run.js";

describe("a coordination run", { timeout: 120_000 }, () => {
  it("ends, for any agents, limits and orders of arrival, and keeps every invariant on the way (I1-I4, I6, I10)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), policies, chances, (agents, policy, numbers) => {
        const run = startRandomRun(agents, policy, numbers);
        expect(run.violations).toEqual([]);
        expect(run.state.phase).toBe("finished");
        expect(run.decisions.flat().filter((fact) => fact.type === "run_finished")).toHaveLength(1);
      }),
      { numRuns: 2_500 },
    );
  });

  it("goes on after a power cut between any two facts: the torn decision is gone, nothing accepted is lost", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), policies, chances, fc.nat(200), (agents, policy, numbers, cut) => {
        const before = startRandomRun(agents, policy, numbers).decisions;
        const survived = wholeDecisions(before, cut % (before.flat().length + 1));
        const state = survived.flat().reduce(evolve, initialState);
        const first = state.phase === "idle" ? start(["a0", "a1"]) : ({ type: "resume", lastSeq: state.seq } as const);
        const after = state.phase === "finished" ? null : playAtRandom(state, first, policy, [...numbers].reverse());
        expect(after?.violations ?? []).toEqual([]);
        const all = [...survived, ...(after?.decisions ?? [])].flat();
        expect(all.filter((fact) => fact.type === "run_finished")).toHaveLength(1);
        const accepted = answersByAttempt(all);
        for (const labels of accepted) expect(new Set(labels).size).toBe(labels.length);
        expect(accepted[state.attempt - 1]?.slice(0, state.answers.length)).toEqual(state.answers.map((answer) => answer.label));
      }),
      { numRuns: 1_500 },
    );
  });

  it("gives the same facts for the same signals (I8)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), policies, chances, (agents, policy, numbers) => {
        const { signals, decisions } = startRandomRun(agents, policy, numbers);
        let state = initialState;
        const again = signals.map((signal) => {
          const facts = decide(state, signal, policy);
          state = facts.reduce(evolve, state);
          return facts;
        });
        expect(again.filter((facts) => facts.length > 0)).toEqual(decisions);
      }),
      { numRuns: 300 },
    );
  });

  it("is settled after every decision, so that a report, which changes nothing but what is spent, calls for no other work", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), policies, chances, (agents, policy, numbers) => {
        let state = initialState;
        for (const facts of startRandomRun(agents, policy, numbers).decisions) {
          const before = outstanding(state, policy);
          state = facts.reduce(evolve, state);
          expect(settle(state, policy)).toEqual([]);
          if (facts.every(isReport)) expect(outstanding(state, policy)).toEqual(before);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("knows its answers by their labels, also where one state has two futures", () => {
    const begun = startRandomRun(3, policyWith(), [1]).decisions[0]!.reduce(evolve, initialState);
    const answer = (agent: string, label: AnswerLabel): CoordinationEvent => ({
      type: "answer_submitted",
      agent,
      round: 0,
      label,
      content: label,
      fingerprint: label,
      supersedes: null,
      salvaged: false,
      snapshot: null,
      verification: null,
      maxSimilarity: null,
    });
    const one = [answer("a0", "agent1.1"), answer("a1", "agent2.1")].reduce(evolve, begun);
    const other = [answer("a1", "agent2.1"), answer("a0", "agent1.1")].reduce(evolve, begun);
    for (const state of [begun, one, other])
      for (const label of ["agent1.1", "agent2.1", "agent3.1"] as const)
        expect(answerAt(state, label)).toBe(state.answers.find((known) => known.label === label));
  });

  it("counts a fact it does not know as a record and is changed by it in nothing else", () => {
    const state = startRandomRun(3, policyWith(), [3, 5, 7, 11]).state;
    const unknown = { type: "from_a_later_version", agent: "a0" } as never;
    expect(evolve(state, unknown)).toEqual({ ...state, seq: state.seq + 1 });
  });

  it("never throws, whoever the signals speak of", () => {
    const ids = fc.constantFrom("a0", "a1", "nobody", "__proto__", "constructor", "");
    const anySignal = fc.oneof(
      fc.record({
        type: fc.constantFrom(
          "answer_offered",
          "vote_offered",
          "nothing_offered",
          "round_failed",
          "presented",
          "update_delivered",
          "made_up",
        ),
        agent: ids,
        round: fc.integer({ min: -2, max: 3 }),
        content: fc.string(),
        fingerprint: fc.string(),
        target: fc.string(),
        labels: fc.array(fc.string()),
        reason: fc.string(),
        confidence: fc.constant(null),
        snapshot: fc.constant(null),
        code: fc.constant("unknown_tool"),
        tool: fc.constantFrom("vote", null),
        detail: fc.string(),
        text: fc.string(),
        kind: fc.constant("internal"),
        message: fc.string(),
      }),
      fc.record({ type: fc.constant("timer_fired"), timer: fc.string(), texts: fc.constant({}) }),
    );
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 30 }), (list) => {
        const policy = policyWith();
        let state = decide(initialState, start(["a0", "a1"]), policy).reduce(evolve, initialState);
        for (const signal of list) state = decide(state, signal as never, policy).reduce(evolve, state);
        expect(outstanding(state, policy).length > 0).toBe(state.phase !== "finished");
      }),
      { numRuns: 500 },
    );
  });
});

/** The labels that were accepted, attempt by attempt. */
function answersByAttempt(facts: readonly CoordinationEvent[]): readonly (readonly AnswerLabel[])[] {
  const attempts: AnswerLabel[][] = [[]];
  for (const fact of facts) {
    if (fact.type === "attempt_restarted") attempts.push([]);
    if (fact.type === "answer_submitted") attempts.at(-1)?.push(fact.label);
  }
  return attempts;
}

/** The decisions of which every fact is among the first `kept` ones: what a store gives back after a power cut. */
function wholeDecisions<T>(decisions: readonly (readonly T[])[], kept: number): readonly (readonly T[])[] {
  let total = 0;
  return decisions.filter((facts) => {
    total += facts.length;
    return total <= kept;
  });
}
