import type { Recorded } from "./facts.js";
import type { RunId } from "./ids.js";

/**
 * How soon an append must survive a power cut. `flushed`: durable on return, for decisions. `buffered`: written in order,
 * durable with the next flushed append or when the run ends, for what only reports (`llm_call`, `tool_start`, …).
 */
export type Durability = "flushed" | "buffered";

/**
 * Append-only log of facts, one stream per run.
 *
 * Implementations pass `describeEventStore` of `@massgen/testing`: atomic append, conflict on a stale `after`,
 * gapless order, a reader that follows sees each record once, two writers never interleave.
 */
export interface EventStore {
  /**
   * Appends one decision: all of it or nothing.
   * @throws MassgenError `STORE_CONFLICT` when the stream no longer ends at `after`, `STORE_FAILED` when it cannot write.
   */
  append(runId: RunId, after: number, decision: readonly Recorded[], durability: Durability): Promise<void>;
  /** Records after `after` in order. With `follow` the iterable stays open until `signal` aborts or the run finishes. */
  read(
    runId: RunId,
    options?: { readonly after?: number; readonly follow?: boolean; readonly signal?: AbortSignal },
  ): AsyncIterable<Recorded>;
}
