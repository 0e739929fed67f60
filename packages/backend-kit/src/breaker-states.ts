import type { MonotonicMillis } from "@massgen/contracts";

/** When a circuit opens, and for how long. */
export interface BreakerRules {
  /** Failures in a row that open it. Default 5. */
  readonly maxFailures: number;
  /** Milliseconds until a probe. Default 60 000. */
  readonly resetMs: number;
  /** How that time grows with each probe that fails. Default 2. */
  readonly backoffMultiplier: number;
  /** Milliseconds it grows to at most; `resetMs` counts even when it is longer. Default 300 000. */
  readonly maxBackoffMs: number;
  /** A 429 that asks for a longer wait, in milliseconds, opens at once. Default 120 000. */
  readonly retryAfterThresholdMs: number;
  /** Statuses that count as failures. Default 500, 502, 503, 529. */
  readonly countedStatuses: readonly number[];
}

export const defaultBreakerRules: BreakerRules = {
  maxFailures: 5,
  resetMs: 60_000,
  backoffMultiplier: 2,
  maxBackoffMs: 300_000,
  retryAfterThresholdMs: 120_000,
  countedStatuses: [500, 502, 503, 529],
};

/** How one request went, as far as the circuit cares. `accepted`: it streams; how it ends is not known yet. */
export type Verdict =
  | { readonly is: "accepted" | "succeeded" | "failed" | "says_nothing" }
  /** The vendor will answer nobody for so long. */
  | { readonly is: "barred"; readonly waitMs: number };

export interface BreakerState {
  /** `probing`: half open, with its one request under way. An open circuit whose time has passed lets that one in. */
  readonly phase: "closed" | "open" | "probing";
  /** Failures in a row. */
  readonly failures: number;
  /** Of an open circuit: the moment from which a probe may pass. */
  readonly until: MonotonicMillis;
  /** How often probes failed since the last success: the exponent of the time it stays open. */
  readonly failedProbes: number;
  /** One more with each opening. Requests let in under another number say nothing about the vendor as it is now. */
  readonly era: number;
}

export const closedBreaker: BreakerState = { phase: "closed", failures: 0, until: 0, failedProbes: 0, era: 0 };

/** The state after a request was let in, `null` when it may not be made now. */
export function admit(state: BreakerState, now: MonotonicMillis): BreakerState | null {
  if (state.phase === "closed") return state;
  return state.phase === "open" && now >= state.until ? { ...state, phase: "probing" } : null;
}

/**
 * The state after a verdict on a request that was let in during `era`. A verdict of an earlier era changes nothing, except
 * that a vendor which bars everybody is always believed.
 */
export function judge(state: BreakerState, verdict: Verdict, era: number, rules: BreakerRules, now: MonotonicMillis): BreakerState {
  if (verdict.is === "barred") return bar(state, now + verdict.waitMs);
  if (era !== state.era || state.phase === "open") return state;
  switch (verdict.is) {
    case "says_nothing":
      return state.phase === "probing" ? { ...state, phase: "open", until: now } : state;
    case "accepted":
      // Others may follow at once, not when a long answer is complete. One failure more and it is open again.
      return state.phase === "probing" ? { ...state, phase: "closed", failures: rules.maxFailures - 1 } : state;
    case "succeeded":
      return { ...closedBreaker, era: state.era };
    case "failed":
      return fail(state, rules, now);
  }
}

function fail(state: BreakerState, rules: BreakerRules, now: MonotonicMillis): BreakerState {
  const failures = state.failures + 1;
  if (state.phase === "closed" && failures < rules.maxFailures) return { ...state, failures };
  return {
    phase: "open",
    failures,
    until: now + openMs(state.failedProbes, rules),
    failedProbes: state.failedProbes + 1,
    era: state.era + 1,
  };
}

/** What is open stays open at least as long as it would have. What that was closed has no failures to blame. */
function bar(state: BreakerState, until: MonotonicMillis): BreakerState {
  const isOpen = state.phase === "open";
  const failures = isOpen ? state.failures : 0;
  return { ...state, phase: "open", failures, until: isOpen ? Math.max(state.until, until) : until, era: state.era + 1 };
}

/** Milliseconds an opening lasts after so many probes that failed in a row. */
function openMs(failedProbes: number, { resetMs, backoffMultiplier, maxBackoffMs }: BreakerRules): number {
  return Math.min(resetMs * backoffMultiplier ** failedProbes, Math.max(resetMs, maxBackoffMs));
}
