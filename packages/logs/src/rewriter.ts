import type { MonotonicMillis } from "@massgen/contracts";

/** Keeps one file up to date without writing it more often than `minIntervalMs`. */
export interface Rewriter {
  /** Something changed: writes at once if the last time is long enough ago, else at a later `tick`. */
  changed(): void;
  /** Writes at once, whenever the last time was. */
  now(): Promise<void>;
  /** Time has passed. */
  tick(): void;
}

export interface RewriterOptions {
  readonly minIntervalMs: number;
  /** Writes even when nothing changed, so that readers see that the run lives. Default: never. */
  readonly maxIntervalMs?: number | null;
  readonly monotonic: () => MonotonicMillis;
  readonly write: () => Promise<void>;
}

export function createRewriter({ minIntervalMs, maxIntervalMs = null, monotonic, write }: RewriterOptions): Rewriter {
  let isDirty = false;
  let last = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;

  function now(): Promise<void> {
    isDirty = false;
    last = monotonic();
    isWriting = true;
    const mine = writing.then(write).finally(() => {
      if (writing === mine) isWriting = false;
    });
    writing = mine;
    return mine;
  }

  function writeIfDue(afterMs: number): void {
    // A disk that is slower than the interval must not collect a queue of writes.
    if (!isWriting && monotonic() - last >= afterMs) void now();
  }

  return {
    now,
    changed() {
      isDirty = true;
      writeIfDue(minIntervalMs);
    },
    tick() {
      const afterMs = isDirty ? minIntervalMs : maxIntervalMs;
      if (afterMs !== null) writeIfDue(afterMs);
    },
  };
}
