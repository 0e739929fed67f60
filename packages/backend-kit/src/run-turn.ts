import type { Ambient, BackendEvent, TurnRequest } from "@massgen/contracts";
import { type Attempt, openAttempt } from "./attempt.js";
import { type Guard, guarded, refusal } from "./breaker.js";
import { AttemptError, type AttemptFailure, fatal, toBackendFailure, transient } from "./failure.js";
import { type Pace, paceWaitMs } from "./paced-ambient.js";
import { countEarlier, type RateLimiter, type Reservation, reserve } from "./rate-limiter.js";
import { rateWait } from "./rate-windows.js";
import { redact } from "./redact.js";
import { defaultRetryLimits, noRetries, planRetry, type RetryLimits, type RetryTally } from "./retry-plan.js";
import { estimateRequestTokens } from "./usage.js";
import { describeWait } from "./wait.js";

export interface TurnOptions {
  readonly model: string;
  /** Named in messages: `OpenAI (gpt-5)`. */
  readonly who: string;
  /** Work that needs no network, done before `turn_start`; gives the warnings of that event. A throw fails the turn as `internal`. */
  readonly prepare?: () => readonly string[];
  /**
   * One request. Called again for each retry, so it must not depend on what an earlier call left behind. What it throws
   * and is no `AttemptError` is `internal`.
   */
  readonly attempt: Attempt;
  readonly limits?: Partial<RetryLimits>;
  /** Shared with other turns that ask the same vendor: while its circuit is open, nothing is sent. Default: none. */
  readonly guard?: Guard;
  /** Shared with other turns of the same model: every request, retries as well, waits until it fits. Default: none. */
  readonly limiter?: RateLimiter;
  /** What is asked; its size is what a limiter counts until the vendor tells the real one. */
  readonly request?: Pick<TurnRequest, "messages" | "tools">;
  /** `pace` of `pacedAmbient`: a vendor that has nothing left for us is not asked before it has. */
  readonly ambient: Pick<Ambient, "clock" | "random"> & { readonly pace?: Pace };
  readonly signal: AbortSignal;
  /** Texts that must never be shown, such as the key. */
  readonly secrets?: readonly string[];
}

/**
 * Makes attempts into one turn as `BackendAdapter.stream` promises it: opens with `turn_start`, closes with exactly one
 * `turn_end` or `turn_failed`, never throws, ends at once when `signal` aborts, retries within the limits, and announces
 * every retry with `turn_retried` (whose `attempt` counts the retries from 1).
 */
export async function* runTurn(turn: TurnOptions): AsyncGenerator<BackendEvent, void, undefined> {
  const { model, who, signal, guard, secrets = [] } = turn;
  const { clock, random, pace } = turn.ambient;
  const limits = limitsOf(turn);
  const attempt = guard === undefined ? turn.attempt : guarded(turn.attempt, guard, who, clock);
  const tokens = turn.limiter === undefined ? 0 : estimatedTokens(turn);
  let warnings: readonly string[] = [];
  let failure: AttemptFailure | null = null;
  try {
    warnings = [...(turn.prepare?.() ?? []), ...paceWarning(turn), ...limiterWarning(turn, tokens)];
  } catch (error) {
    failure = failureOf(error, who, secrets);
  }
  yield { type: "turn_start", model, warnings };

  let tally: RetryTally = noRetries;
  let partial = "";
  for (let number = 1; failure === null; number++) {
    partial = "";
    const paceMs = paceWaitMs(pace, clock);
    if (paceMs > 0) failure = await waited(turn, paceMs);
    if (failure !== null) break;
    const reserved = await reservation(turn, tokens);
    if ("kind" in reserved) {
      failure = reserved;
      break;
    }
    const running = openAttempt({ attempt, number, who, silenceMs: limits.silenceMs, clock, signal });
    try {
      for (;;) {
        const event = await running.next();
        if (event === null) throw new AttemptError(transient(`${who} ended its response without saying that it was complete.`));
        if (event.type === "text_delta") partial += event.text;
        if (event.type === "turn_end" && event.usage !== null) reserved.settle(event.usage.inputTokens + event.usage.outputTokens);
        yield event;
        if (event.type === "turn_end") return;
      }
    } catch (error) {
      failure = failureOf(error, who, secrets);
    } finally {
      running.close();
    }

    const plan = planRetry(failure, running.streamOpened, tally, limits, random);
    if (!plan.again) {
      failure = withWait(plan.failure, limits.maxWaitMs, clock.now());
      break;
    }
    const closed = guard === undefined ? null : refusal(guard, who, clock);
    if (closed !== null) {
      failure = { ...failure, message: `${failure.message} ${closed.message}` };
      break;
    }
    tally = plan.tally;
    yield { type: "turn_retried", attempt: number, waitMs: plan.waitMs, message: failure.message };
    failure = await waited(turn, plan.waitMs);
    partial = "";
  }
  if (failure !== null) yield { type: "turn_failed", failure: toBackendFailure(failure), partial };
}

/** A guard bears every wait up to its threshold: what is longer opens its circuit. */
function limitsOf({ limits, guard }: TurnOptions): RetryLimits {
  const whole = { ...defaultRetryLimits, ...limits };
  return { ...whole, maxWaitMs: Math.max(whole.maxWaitMs, guard?.rules.retryAfterThresholdMs ?? 0) };
}

/** Shorter waits are nobody's business. */
const WORTH_TELLING_MS = 5000;

function paceWarning({ who, ambient: { clock, pace } }: TurnOptions): readonly string[] {
  const waitMs = paceWaitMs(pace, clock);
  return waitMs < WORTH_TELLING_MS ? [] : [`The rate limit of ${who} is used up: the request waits ${describeWait(waitMs, clock.now())}.`];
}

function estimatedTokens({ request }: TurnOptions): number {
  return request === undefined ? 0 : estimateRequestTokens(request.messages, request.tools);
}

function limiterWarning({ who, limiter, ambient: { clock } }: TurnOptions, tokens: number): readonly string[] {
  if (limiter === undefined) return [];
  countEarlier(limiter, clock);
  const { waitMs, exhausted } = rateWait(limiter.state, limiter.limits, tokens, clock.monotonic());
  if (exhausted || waitMs < WORTH_TELLING_MS) return [];
  return [`The rate limiter holds requests to ${who} back: this one waits ${describeWait(waitMs, clock.now())} or longer.`];
}

type Reserved = Extract<Reservation, { readonly is: "reserved" }>;
const unlimited: Reserved = { is: "reserved", settle: () => {} };

/** The place of a request in the limiter, or why it may not be made. */
async function reservation({ who, limiter, ambient: { clock }, signal }: TurnOptions, tokens: number): Promise<Reserved | AttemptFailure> {
  if (limiter === undefined) return unlimited;
  try {
    const found = await reserve(limiter, tokens, clock, signal);
    if (found.is === "reserved") return found;
    const left = `the next one may be made in ${describeWait(found.waitMs, clock.now())}`;
    return fatal(`The rate limiter allows ${who} ${limiter.limits.rpd} requests a day, and they are used up: ${left}.`);
  } catch {
    return { ...transient("The turn was cancelled while it waited for the rate limiter."), retry: "never" };
  }
}

/** `null` when the pause is over, the failure when the turn was cancelled in it. */
async function waited({ ambient: { clock }, signal }: TurnOptions, waitMs: number): Promise<AttemptFailure | null> {
  try {
    if (waitMs > 0) await clock.sleepUntil(clock.monotonic() + waitMs, signal);
    signal.throwIfAborted();
    return null;
  } catch {
    return { ...transient("The turn was cancelled while it waited for its next attempt."), retry: "never" };
  }
}

function failureOf(error: unknown, who: string, secrets: readonly string[]): AttemptFailure {
  if (error instanceof AttemptError) return error.failure;
  const cause = error instanceof Error ? error.message : String(error);
  const message = redact(`The adapter of ${who} broke: ${cause}. This is a bug in the adapter.`, secrets);
  return { kind: "internal", message, status: null, retryAfterMs: null, retry: "never" };
}

function withWait(failure: AttemptFailure, maxWaitMs: number, now: number): AttemptFailure {
  if (failure.retryAfterMs === null || failure.retryAfterMs <= maxWaitMs) return failure;
  return {
    ...failure,
    message: `${failure.message} It asks to wait ${describeWait(failure.retryAfterMs, now)}; the longest wait is ${describeWait(maxWaitMs)}.`,
  };
}
