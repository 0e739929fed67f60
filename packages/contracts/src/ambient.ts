import type { EpochMillis, MonotonicMillis } from "./ids.js";

export interface Clock {
  now(): EpochMillis;
  monotonic(): MonotonicMillis;
  /** Resolves at or after `at`; rejects with the signal's reason when aborted, at once if it already is. */
  sleepUntil(at: MonotonicMillis, signal: AbortSignal): Promise<void>;
}

export interface IdGenerator {
  /** A fresh id, unique per process start: runs as `RunId` says, the others `call_7f3a9c`, `job_…`, `request_…`. */
  next(kind: "run" | "session" | "call" | "job" | "request"): string;
}

/** Uniform in [0, 1). Seeded from `orchestrator.seed`, so that a replay draws the same numbers. */
export type Random = () => number;

/** Everything a deterministic test must be able to replace. Passed down, never imported. */
export interface Ambient {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly random: Random;
  readonly fetch: typeof globalThis.fetch;
}
