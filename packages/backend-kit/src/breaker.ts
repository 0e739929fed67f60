import type { Clock } from "@massgen/contracts";
import type { Attempt, AttemptEvent } from "./attempt.js";
import { admit, type BreakerRules, type BreakerState, closedBreaker, judge, type Verdict } from "./breaker-states.js";
import { AttemptError, type AttemptFailure, transient } from "./failure.js";
import { describeWait } from "./wait.js";

/** What all requests to one vendor share: whether it is to be asked at all. Made by `openCircuit`, for one process. */
export interface Circuit {
  state: BreakerState;
}

/** A circuit, and the rules by which the requests of one adapter count in it. */
export interface Guard {
  readonly circuit: Circuit;
  readonly rules: BreakerRules;
}

export function openCircuit(): Circuit {
  return { state: closedBreaker };
}

/** Why a request may not be made now, with the moment from which it may; `null` when it may. */
export function refusal({ circuit: { state } }: Guard, who: string, clock: Clock): AttemptFailure | null {
  const now = clock.monotonic();
  if (admit(state, now) !== null) return null;
  const cause = state.failures === 0 ? "it asked to be left alone" : `failures in a row: ${state.failures}`;
  const message =
    state.phase === "probing"
      ? `The circuit breaker of ${who} is open (${cause}): one request is trying it now, and others wait for how that ends.`
      : `The circuit breaker of ${who} is open (${cause}): nothing is sent for ${describeWait(state.until - now, clock.now())}.`;
  return { ...transient(message), retry: "never" };
}

/** The attempt, made only when the circuit allows, and counted in it however it ends. Rejects with the refusal otherwise. */
export function guarded(attempt: Attempt, guard: Guard, who: string, clock: Clock): Attempt {
  const { circuit, rules } = guard;
  return async (context) => {
    const now = clock.monotonic();
    const admitted = admit(circuit.state, now);
    if (admitted === null) throw new AttemptError(refusal(guard, who, clock) ?? transient(`${who} is not asked now.`));
    circuit.state = admitted;
    const { era } = admitted;
    let isSettled = false;
    const tell = (verdict: Verdict): void => {
      if (isSettled) return;
      isSettled = verdict.is !== "accepted";
      circuit.state = judge(circuit.state, verdict, era, rules, clock.monotonic());
    };
    // Silence, cancellation and a reader that left end an attempt from outside; the code below may never hear of it.
    context.signal.addEventListener("abort", () => tell(verdictOn(context.signal.reason, rules)), { once: true });
    try {
      return watched(await attempt(context), tell, rules);
    } catch (error) {
      tell(verdictOn(error, rules));
      throw error;
    }
  };
}

async function* watched(
  stream: AsyncIterable<AttemptEvent>,
  tell: (verdict: Verdict) => void,
  rules: BreakerRules,
): AsyncGenerator<AttemptEvent, void, undefined> {
  let hasBegun = false;
  try {
    for await (const event of stream) {
      if (event.type === "turn_end") tell({ is: "succeeded" });
      else if (!hasBegun) tell({ is: "accepted" });
      hasBegun = true;
      yield event;
    }
    tell({ is: "failed" });
  } catch (error) {
    tell(verdictOn(error, rules));
    throw error;
  } finally {
    tell({ is: "says_nothing" });
  }
}

/**
 * A wait the vendor names and we keep says nothing about its health, and neither do our own mistakes. No status at all is a
 * connection that failed, a stream that broke off, or silence.
 */
function verdictOn(reason: unknown, { countedStatuses, retryAfterThresholdMs }: BreakerRules): Verdict {
  if (!(reason instanceof AttemptError)) return { is: "says_nothing" };
  const { status, retryAfterMs, retry, kind } = reason.failure;
  if (retry === "repaired") return { is: "says_nothing" };
  if (status === 429) {
    if (retryAfterMs === null) return { is: "failed" };
    return retryAfterMs > retryAfterThresholdMs ? { is: "barred", waitMs: retryAfterMs } : { is: "says_nothing" };
  }
  const counts = status === null ? kind === "backend_transient" && retry === "backoff" : countedStatuses.includes(status);
  return { is: counts ? "failed" : "says_nothing" };
}
