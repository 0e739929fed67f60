import type { AgentCard, AgentId, CoordinationEvent } from "@massgen/contracts";
import { anonIdAt, decide, defaultPolicy, evolve, initialState, type Policy, type RunState, type Signal } from "@massgen/kernel";

/** What a list of signals led to. `decisions` has one entry per signal, empty for a signal that changed nothing. */
export interface Played {
  readonly state: RunState;
  readonly facts: readonly CoordinationEvent[];
  readonly decisions: readonly (readonly CoordinationEvent[])[];
}

/** Cards for agents of these ids, in this order: `agent1`, `agent2`, …, each on a model of its own. */
export function cardsOf(ids: readonly AgentId[]): readonly AgentCard[] {
  return ids.map((id, index) => ({ id, anon: anonIdAt(index), backend: "scripted", model: `scripted-${index + 1}` }));
}

/** The signal that starts a run of these agents: with votes, unless there is only one. */
export function startOf(ids: readonly AgentId[]): Signal {
  return {
    type: "start",
    question: "Which cache policy fits?",
    agents: cardsOf(ids),
    seed: 1,
    mode: ids.length === 1 ? "single" : "voting",
  };
}

/** A run in which every agent has just begun its first round. */
export function openRun(...ids: readonly AgentId[]): RunState {
  return playSignals(initialState, [startOf(ids)]).state;
}

/**
 * Judges the signals one after another with the default policy, as the runner would.
 *
 * @example
 * const { state, facts } = after(openRun("ada", "bob"), { type: "answer_offered", agent: "ada", round: 0, content: "LRU", fingerprint: "lru", snapshot: null });
 */
export function after(state: RunState, ...signals: readonly Signal[]): Played {
  return playSignals(state, signals);
}

/** As `after`, with a policy of one's own. */
export function playSignals(from: RunState, signals: Iterable<Signal>, policy: Policy = defaultPolicy): Played {
  let state = from;
  const decisions: (readonly CoordinationEvent[])[] = [];
  for (const signal of signals) {
    const facts = decide(state, signal, policy);
    state = facts.reduce(evolve, state);
    decisions.push(facts);
  }
  return { state, facts: decisions.flat(), decisions };
}
