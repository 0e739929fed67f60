import type { BackendFailure } from "@massgen/contracts";

/**
 * What helps after a failed attempt. `backoff`: the same request once more, after a pause. `repaired`: the adapter has
 * changed what it will send, so that the next attempt may follow at once and is not counted as a retry.
 */
export type RetryAdvice = "never" | "backoff" | "repaired";

/** A failure as an attempt knows it; `runTurn` decides from it whether to try again. */
export interface AttemptFailure extends BackendFailure {
  readonly retry: RetryAdvice;
}

/** What an attempt throws when it failed for a reason it understands. Everything else it throws becomes `internal`. */
export class AttemptError extends Error {
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure, options?: { readonly cause?: unknown }) {
    super(failure.message, options);
    this.name = "AttemptError";
    this.failure = failure;
  }
}

/** A failure that a second try may cure: connection, silence, a stream that broke off. */
export function transient(message: string): AttemptFailure {
  return { kind: "backend_transient", message, status: null, retryAfterMs: null, retry: "backoff" };
}

/** A failure that repeats itself whatever is tried. */
export function fatal(message: string, status: number | null = null): AttemptFailure {
  return { kind: "backend_fatal", message, status, retryAfterMs: null, retry: "never" };
}

/** The form in which a failure leaves the adapter. */
export function toBackendFailure({ kind, message, status, retryAfterMs }: AttemptFailure): BackendFailure {
  return { kind, message, status, retryAfterMs };
}
