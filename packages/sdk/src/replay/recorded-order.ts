import type { CoordinationEvent, Recorded } from "@massgen/contracts";
import type { ArrivalOrder } from "@massgen/core";
import { decide, type Policy, type RunState, type Signal } from "@massgen/kernel";

/** A fact without what differs between two runs that are the same: durations, and ids of requests. */
function sameFact(fact: CoordinationEvent): string {
  const { seq: _seq, at: _at, runId: _runId, decision: _decision, closes: _closes, ...rest } = fact as Recorded;
  const timeless: Readonly<Record<string, unknown>> =
    rest.type === "llm_call"
      ? { ...rest, callId: "", ttftMs: null, durationMs: null }
      : rest.type === "tool_complete"
        ? { ...rest, durationMs: 0 }
        : rest.type === "answer_submitted" && rest.verification !== null
          ? { ...rest, verification: { ...rest.verification, durationMs: 0 } }
          : { ...rest };
  return JSON.stringify(timeless, inOneOrder);
}

/** Keys in one order; a field that is `null` in the log may be absent in a fact that has just been made. */
const inOneOrder = (_key: string, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, entry]) => entry !== null && entry !== undefined)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );

/** The facts of one decision, in one comparable text. */
const sameDecision = (facts: readonly CoordinationEvent[]): string => facts.map(sameFact).join("\n");

const agentOfFact = (fact: CoordinationEvent | undefined): string | null => (fact !== undefined && "agent" in fact ? fact.agent : null);

export interface RecordedOrder extends ArrivalOrder {
  /** How many decisions have been made as recorded. */
  made(): number;
  /** What the engine would decide instead, as far as it has anything to judge. */
  instead(): readonly CoordinationEvent[] | null;
}

/** Lets a signal be judged when it leads to the next decision on record, or to nothing at all. */
export function createRecordedOrder(decisions: readonly (readonly Recorded[])[], policy: Policy, state: () => RunState): RecordedOrder {
  const expected = decisions.map(sameDecision);
  let made = 0;
  let newest: readonly Signal[] = [];
  return {
    made: () => made,
    next(waiting) {
      newest = waiting;
      for (const [place, signal] of waiting.entries()) {
        const facts = decide(state(), signal, policy);
        if (facts.length === 0) return place;
        if (sameDecision(facts) !== expected[made]) continue;
        made += 1;
        return place;
      }
      return null;
    },
    instead() {
      const recorded = decisions[made]?.[0];
      const later = new Set(expected.slice(made));
      const judged = newest.map((signal) => decide(state(), signal, policy));
      // What is on record further on only waits for its turn. The rest parts from the record, and above all what concerns the same agent.
      const parting = judged.filter((facts) => !later.has(sameDecision(facts)));
      const agent = agentOfFact(recorded);
      return parting.find((facts) => agentOfFact(facts[0]) === agent) ?? parting[0] ?? judged[0] ?? null;
    },
  };
}
