import type { FileHandle } from "node:fs/promises";

/**
 * Flushes of all logs of this process. Whatever asks while a flush of its file runs shares the next one, and only a few run
 * at once: each blocks a thread that other file work needs, and the file system joins those that come together.
 */
const MAX_AT_ONCE = 3;

let running = 0;
const waiting: (() => void)[] = [];

async function takingTurns<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** Makes what was written to one file durable. */
export interface Flusher {
  /** Resolves when everything written before this call is on the disk. */
  flush(): Promise<void>;
}

export function createFlusher(handle: FileHandle): Flusher {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function start(): Promise<void> {
    const flush = takingTurns(() => handle.datasync()).finally(() => {
      current = null;
    });
    current = flush;
    return flush;
  }

  return {
    flush() {
      if (current === null) return start();
      // The running flush may have begun before the last write; whoever comes now shares the one after it.
      next ??= current
        .catch(() => {})
        .then(() => {
          next = null;
          return start();
        });
      return next;
    },
  };
}
