import type { Recorded } from "@massgen/contracts";
import type { Call } from "../fake-vendor/call-log.js";
import type { Ideal } from "./floor.js";

/** The four figures of a run (see the README beside this file). */
export interface CoordFigures {
  readonly calls: number;
  readonly pathMs: number;
  /** Wall time over the ideal. */
  readonly path: number;
  /** Calls over the fewest. */
  readonly callRatio: number;
  /** Share of call time whose result was ignored, voided or cancelled. */
  readonly waste: number;
  /** Milliseconds on the critical path in which no call ran that the next one waited for. */
  readonly idleMs: number;
  /** Calls that our own refusals caused. */
  readonly refusals: number;
}

export function figuresOf(calls: readonly Call[], facts: readonly Recorded[], ideal: Ideal): CoordFigures {
  const first = Math.min(...calls.map((call) => call.startedAtMs));
  const last = Math.max(...calls.map(endOf));
  const useful = usefulCalls(calls, facts);
  const spent = calls.filter((call) => call.ended !== "failed");
  const wastedMs = spent.filter((call) => !useful.has(call)).reduce((sum, call) => sum + lengthOf(call), 0);
  return {
    calls: calls.length,
    pathMs: last - first,
    path: (last - first) / ideal.pathMs,
    callRatio: calls.length / ideal.calls,
    waste: wastedMs / spent.reduce((sum, call) => sum + lengthOf(call), 0),
    idleMs: idleOnCriticalPath(calls),
    refusals: facts.filter(({ type }) => type === "answer_rejected" || type === "vote_rejected" || type === "enforcement_retry").length,
  };
}

const endOf = (call: Call): number => call.endedAtMs ?? call.startedAtMs;
const lengthOf = (call: Call): number => endOf(call) - call.startedAtMs;

/** Accepted answers, the votes that were counted in the end, ordinary tool turns, and the presentation. */
function usefulCalls(calls: readonly Call[], facts: readonly Recorded[]): ReadonlySet<Call> {
  const accepted = new Set(facts.flatMap((fact) => (fact.type === "answer_submitted" ? [fact.content] : [])));
  const lastAnswer = facts.findLastIndex((fact) => fact.type === "answer_submitted");
  const counted = new Set(facts.slice(lastAnswer + 1).flatMap((fact) => (fact.type === "vote_cast" ? [fact.agent] : [])));
  const presented = facts.find((fact) => fact.type === "presentation_finished")?.fallback === null;
  return new Set(
    calls.filter((call) => {
      if (call.ended !== "whole") return false;
      if (call.step.does === "answer") return accepted.has(call.step.text);
      if (call.step.does === "vote")
        return counted.has(call.agent) && call === calls.findLast((other) => other.agent === call.agent && other.step.does === "vote");
      return call.step.does === "tool" || (call.step.does === "text" && presented);
    }),
  );
}

/** Walks back from the last call to end, each time to the call that ended last before it began, and sums the gaps between. */
function idleOnCriticalPath(calls: readonly Call[]): number {
  // Calls that took no time can end when they began: each is visited once, or the walk would never end.
  let left = calls.toSorted((a, b) => endOf(b) - endOf(a));
  let idleMs = 0;
  for (let current = left[0]; current !== undefined; ) {
    const { startedAtMs } = current;
    left = left.slice(left.indexOf(current) + 1);
    current = left.find((call) => endOf(call) <= startedAtMs);
    if (current !== undefined) idleMs += startedAtMs - endOf(current);
  }
  return idleMs;
}
